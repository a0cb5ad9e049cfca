// Generated from the server's own description by `npm run types`: change crates/studio/src/api instead.

export interface paths {
    "/api/v1/discover": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Finds the lists of a page. */
        post: operations["find_lists"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/export": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Writes the records of a list as a file. */
        post: operations["export_records"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/learn/domain": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Reads a page by a domain's words, and learns rules from that. */
        post: operations["learn_domain"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/learn/example": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Learns from examples that the user points at. */
        post: operations["learn_example"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/learn/feed": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Learns a weblog's rules from its feed. */
        post: operations["learn_feed"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/many": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Runs rules on many pages. */
        post: operations["run_many"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/pages": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Opens a page. */
        post: operations["open"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/pages/{page}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /** Closes a page. */
        delete: operations["close"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/pages/{page}/place": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Describes a place of a page. */
        post: operations["place_info"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/repair": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Repairs a wrapper, or says why not. */
        post: operations["repair_rules"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/rules/alternatives": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Returns alternative locators for a rule. */
        post: operations["find_alternatives"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/rules/case": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Saves a page with the expected results of the rules, for `windrow test`. */
        post: operations["save_case"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/rules/convert": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Converts rules to another format, or lays them out. */
        post: operations["convert_rules"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/rules/edit": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Changes one rule. */
        post: operations["edit_rules"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/rules/save": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Saves a wrapper below the folder that the studio was started in. */
        post: operations["save_rules"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/run": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Runs rules on a page. */
        post: operations["run_rules"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/start": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Initial state of the studio: the pages and wrapper given at the start. */
        get: operations["start"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/store": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Returns the contents of a store, and the wrappers that are broken. */
        post: operations["look_into"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export type webhooks = Record<string, never>;
export interface components {
    schemas: {
        /** @description One way to find what a rule finds. */
        Alternative: {
            /** @description True for the rule's current locator. */
            current: boolean;
            /** @description XPath or CSS. */
            expression: string;
            /** @description Values that it finds in all. */
            found: number;
            /**
             * Format: float
             * @description Estimated probability of surviving a redesign, from 0 to 1.
             */
            robustness: number;
            /** @description Values that it finds just as the rule does. */
            same: number;
            /** @description Places of the values that it finds. */
            spots: components["schemas"]["Spot"][];
            /** @description Why: what it holds on to. */
            why: string;
        };
        /** @description Ways to find what a rule finds. */
        Alternatives: {
            /** @description The rule's own first, then the others, the most lasting first. */
            alternatives: components["schemas"]["Alternative"][];
        };
        /** @description A rule to find alternatives for. */
        AlternativesRequest: {
            /**
             * Format: int64
             * @description The page.
             */
            page: number;
            /** @description The rule: names from the outermost on, parted by `.` */
            rule: string;
            /** @description The rules. */
            rules: components["schemas"]["RuleText"];
        };
        /** @description An attribute. */
        Attribute: {
            /** @description Its name. */
            name: string;
            /** @description Its value. */
            value: string;
        };
        /** @description A page to hold a wrapper against from now on (`windrow test`). */
        CaseRequest: {
            /**
             * Format: int64
             * @description The page.
             */
            page: number;
            /** @description The folder of the case, below the folder that the studio was started in. */
            path: string;
            /** @description True if existing files may be replaced. */
            replace?: boolean;
            /** @description The rules. */
            rules: components["schemas"]["RuleText"];
        };
        /** @description A value and its place, or a record in a record. */
        Cell: {
            /** @description The same as an absolute XPath. */
            path: string;
            /** @description As it stands on the page. */
            raw: string;
            row?: components["schemas"]["Row"] | null;
            spot?: components["schemas"]["Spot"] | null;
            /** @description As a person reads it. */
            text: string;
            /** @description As its type says: a text, a number, `{amount, currency}`; null if it cannot be read so. */
            value: unknown;
        };
        /** @description A column of a table: a field, or a list in the records. */
        Column: {
            /** @description The columns of its records, if it is a list of such. */
            columns: components["schemas"]["Column"][];
            /** @description Its label. */
            label: string;
            /** @description True if a record may have several values. */
            many: boolean;
            /** @description True if a page may lack it. */
            optional: boolean;
            /** @description Its rule: names from the outermost on, parted by `.` */
            rule: string;
            /** @description `string`, `url`, `date`, `number`, `money`, `html`; `list` if its cells are lists of records. */
            type: string;
        };
        /** @description Rules to convert; to their own format lays them out. */
        ConvertRequest: {
            /**
             * Format: int64
             * @description A page that they are for: what the format cannot say of the tree is learned from what they find there.
             */
            page?: number | null;
            /** @description The rules. */
            rules: components["schemas"]["RuleText"];
            /** @description Target format. */
            to: components["schemas"]["Form"];
        };
        /** @description Lists of a page, the main one first. */
        Discovered: {
            /** @description The lists. */
            lists: components["schemas"]["FoundList"][];
            /**
             * Format: int64
             * @description Microseconds that it took.
             */
            micros: number;
        };
        /** @description A page to find lists on. */
        DiscoverRequest: {
            /** @description Lists at most. */
            most?: number;
            /**
             * Format: int64
             * @description The page.
             */
            page: number;
        };
        /** @description A domain that comes along. */
        DomainInfo: {
            /** @description Short description. */
            about: string;
            /** @description Its name. */
            name: string;
        };
        /** @description A page to read by a domain's words. */
        DomainRequest: {
            /** @description The domain's name. */
            domain: string;
            /**
             * Format: int64
             * @description The page whose table is asked for.
             */
            page: number;
            /** @description Further pages of the same site, which make the rules surer. */
            pages?: number[];
        };
        /** @description A change of a rule. */
        Edit: {
            /** @enum {string} */
            kind: "rename";
            /** @description The new name. */
            name: string;
        } | {
            /** @enum {string} */
            kind: "type";
            /** @description `string`, `url`, `date`, `number`, `money` or `html`. */
            type: string;
        } | {
            /** @enum {string} */
            kind: "optional";
            /** @description Whether. */
            optional: boolean;
        } | {
            /** @description XPath or CSS. */
            expression: string;
            /** @enum {string} */
            kind: "locate";
        } | {
            /** @enum {string} */
            kind: "remove";
        };
        /** @description A change of one rule. The rest of the text stays as it is, comments too. */
        EditRequest: {
            /** @description The change. */
            edit: components["schemas"]["Edit"];
            /** @description The rule: names from the outermost on, parted by `.` */
            rule: string;
            /** @description The rules. */
            rules: components["schemas"]["RuleText"];
        };
        /** @description A page of an archive. */
        Entry: {
            /** @description Its size. */
            bytes: number;
            /** @description Media type given by the server. */
            media_type?: string | null;
            /** @description Its address. */
            url: string;
        };
        /** @description One thing that was seen of a list. */
        Evidence: {
            /** @description Name of the observation. */
            name: string;
            /**
             * Format: float
             * @description Measured value.
             */
            value: number;
            /**
             * Format: float
             * @description Contribution to the score, which may be negative.
             */
            worth: number;
        };
        /** @description Examples that the user points at. */
        ExampleRequest: {
            /** @description The records that are shown; one is enough on most pages. */
            examples: components["schemas"]["Shown"][];
            /** @description Name of the list. */
            name?: string | null;
            /** @description Values and records that must not be found. */
            not?: components["schemas"]["Not"][];
            /**
             * Format: int64
             * @description The page whose table is asked for.
             */
            page: number;
            record?: components["schemas"]["Mark"] | null;
        };
        /**
         * Format: binary
         * @description A file of records: the answer's body, with its name in `Content-Disposition`.
         */
        Exported: string;
        /** @description Records to write to a file. */
        ExportRequest: {
            /** @description `jsonl`, `csv`, `parquet`, `arrow`, `xlsx`, `atom` or `rss`. */
            format: string;
            /** @description The list; without one, the only one. */
            list?: string | null;
            /** @description The pages. */
            pages: number[];
            /** @description The rules. */
            rules: components["schemas"]["RuleText"];
        };
        /** @description Failure of a call. */
        Failure: {
            /** @description Error code for programs: `wrapper::unknown_key`. */
            code: string;
            /** @description Hint on how to resolve the error. */
            help?: string | null;
            /** @description Positions in the rules that were sent. */
            labels?: components["schemas"]["Label"][];
            /** @description Message for display. */
            message: string;
            /** @description Further errors, each with its own place. */
            related?: components["schemas"]["Failure"][];
        };
        /** @description A weblog's home page to learn from. */
        FeedRequest: {
            /** @description The feed, an address or a file; without one it is found. */
            feed?: string | null;
            /**
             * Format: int64
             * @description The page.
             */
            page: number;
        };
        /** @description A field that is pointed at. */
        Field: {
            /** @description Its name. */
            name: string;
            /** @description Its place on the page. */
            spot: components["schemas"]["Spot"];
        };
        /**
         * @description The formats of rules.
         * @enum {string}
         */
        Form: "toml" | "json" | "tsimmis" | "wtm" | "xpath" | "absolute";
        /** @description A list that was found. */
        FoundList: {
            /** @description Records that were left out because they are unlike the rest. */
            dropped: number;
            /** @description Evidence for and against it, by decreasing weight. */
            evidence: components["schemas"]["Evidence"][];
            /** @description XPath of its first record. */
            place: string;
            /** @description Records that it finds. */
            result: components["schemas"]["RunResult"];
            /** @description The wrapper that finds it, as TOML. */
            rules: components["schemas"]["RuleText"];
            /**
             * Format: float
             * @description The sum of the evidence.
             */
            score: number;
        };
        /** @description A place in a text that was sent, in UTF-16 units as browsers count, from 0. */
        Label: {
            /** @description The one behind the last. */
            end: number;
            /** @description The first. */
            start: number;
            /** @description Text of the label. */
            text: string;
        };
        /** @description Result of learning. */
        Learned: {
            /**
             * Format: int64
             * @description Microseconds that learning took.
             */
            micros: number;
            /** @description Notes for display. */
            notes: string[];
            /** @description Records that it finds on the page. */
            result: components["schemas"]["RunResult"];
            /** @description The wrapper, as TOML. */
            rules: components["schemas"]["RuleText"];
        };
        /** @description Change of a list. */
        ListChange: {
            /** @description Number of these that the new rules find again. */
            found: number;
            /** @description Records that were known. */
            known: number;
            /** @description Its label; empty for what the page tells of itself. */
            label: string;
            /** @description Records that they find. */
            records: number;
            /** @description Its rules and those in its records. */
            rules: components["schemas"]["RuleChange"][];
        };
        /** @description Rules to run on further pages. */
        ManyRequest: {
            /** @description Addresses, files and folders. */
            pages: string[];
            /** @description The rules. */
            rules: components["schemas"]["RuleText"];
        };
        /** @description Results of rules on one of several pages. */
        ManyRow: {
            failure?: components["schemas"]["Failure"] | null;
            /** @description The page's name. */
            name: string;
            page?: components["schemas"]["PageInfo"] | null;
            result?: components["schemas"]["RunResult"] | null;
        };
        /** @description An element of a page. */
        Mark: {
            /** @description The element. */
            node: number;
            /**
             * Format: int64
             * @description The page.
             */
            page: number;
        };
        /** @description A value or record that must not come out. */
        Not: {
            /** @description The field that does not have it; without one, what holds it is no record. */
            field?: string | null;
            /**
             * Format: int64
             * @description The page it is on.
             */
            page: number;
            /** @description Its place on the page. */
            spot: components["schemas"]["Spot"];
        };
        /** @description Result of opening: a page or an archive. */
        Opened: {
            /** @enum {string} */
            kind: "page";
            /** @description It. */
            page: components["schemas"]["PageInfo"];
        } | {
            /** @description Its pages; of thousands the first ones. */
            entries: components["schemas"]["Entry"][];
            /** @enum {string} */
            kind: "archive";
            /** @description Number of further pages. */
            more: number;
            /** @description Its path. */
            path: string;
        };
        /** @description A page to open. */
        OpenRequest: {
            /** @enum {string} */
            kind: "address";
            /** @description Let a browser run its scripts first. */
            render?: boolean;
            /** @description The address; `https://` may be left out. */
            url: string;
        } | {
            /** @enum {string} */
            kind: "file";
            /** @description Its path. */
            path: string;
            /** @description The page of the archive; for a page, where it was found. */
            url?: string | null;
        } | {
            /** @description Its source. */
            html: string;
            /** @enum {string} */
            kind: "text";
            /** @description Name of the page. */
            name: string;
            /** @description Address at which it was found. */
            url?: string | null;
        };
        /** @description An open page. */
        PageInfo: {
            /** @description Bytes of its source. */
            bytes: number;
            /** @description The feeds that it names. */
            feeds: string[];
            /**
             * Format: int64
             * @description Its number.
             */
            id: number;
            /** @description As it was given: an address or a file. */
            name: string;
            /** @description Nodes of its tree. */
            nodes: number;
            /** @description Notes on problems with the page. */
            notes: string[];
            /** @description Title of the page. */
            title: string;
            /** @description Its address, if it has one. */
            url?: string | null;
            /** @description Path of its view, for a sandboxed frame. */
            view: string;
        };
        /** @description Description of a place. */
        PlaceInfo: {
            /** @description The attributes of its element. */
            attributes: components["schemas"]["Attribute"][];
            /** @description A name for a field there: what the page calls it, its class, or what it is. */
            name: string;
            /** @description Its absolute XPath. */
            path: string;
            /** @description The same, step by step from `html` on; each can be lit up, and picked as the record. */
            steps: components["schemas"]["Step"][];
            /** @description Its text as a person reads it. */
            value: string;
        };
        /** @description Request for the description of a place. */
        PlaceRequest: {
            /** @description The place. */
            spot: components["schemas"]["Spot"];
        };
        /** @description Something that was missing, or not as the rules say. */
        Problem: {
            label?: components["schemas"]["Label"] | null;
            /** @description What, for people. */
            message: string;
            /** @description The record's element, if it is about one. */
            node?: number | null;
            /** @description The rule. */
            rule: string;
        };
        /** @description Result of a repair, or the reason for its refusal. */
        Repaired: {
            after?: components["schemas"]["RunResult"] | null;
            before?: components["schemas"]["RunResult"] | null;
            /** @description Hint on how to proceed. */
            hint?: string | null;
            /** @description Changes to each list. */
            lists: components["schemas"]["ListChange"][];
            /** @description Notes about it. */
            notes: string[];
            /** @description Differences between the old and the new text. */
            patch: string;
            /** @description Reason for a refusal, for display; the other fields are then empty, except `before` and `after`. */
            refused?: string | null;
            rules?: components["schemas"]["RuleText"] | null;
        };
        /** @description A wrapper to repair. */
        RepairRequest: {
            /**
             * Format: int64
             * @description The page as it is.
             */
            after: number;
            /**
             * Format: int64
             * @description The page as it was.
             */
            before?: number | null;
            /** @description The rules. */
            rules: components["schemas"]["RuleText"];
            /** @description Or a store that knows its records, and the wrapper's name there. */
            store?: string | null;
            /** @description The wrapper's name in the store. */
            wrapper?: string | null;
        };
        /** @description A record. */
        Row: {
            /** @description By column: its cells. None if it lacks it; several where a record has several. */
            cells: components["schemas"]["Cell"][][];
            /** @description Its elements: one, or the first to the last of several siblings. */
            nodes: number[];
            /** @description Its absolute XPath. */
            path: string;
        };
        /** @description Change of a rule. */
        RuleChange: {
            /** @description Locator after the repair. */
            after: string;
            /** @description Number of these that are equal. */
            agreed: number;
            /** @description Locator before the repair. */
            before: string;
            /** @description Values that could be compared. */
            compared: number;
            /** @description True if it was not changed. */
            kept: boolean;
            /** @description The rule: names from the outermost on, parted by `.` */
            rule: string;
        };
        /** @description Statistics of one rule. */
        RuleReport: {
            /**
             * Format: int64
             * @description Places that it was asked at.
             */
            asked: number;
            /** @description `list`, `field` or `group`. */
            kind: string;
            label?: components["schemas"]["Label"] | null;
            /** @description Short description of its locator. */
            locator: string;
            /**
             * Format: int64
             * @description Number of these in which it found something.
             */
            matched: number;
            /** @description The rule: names from the outermost on, parted by `.` */
            rule: string;
        };
        /** @description A wrapper file. */
        RuleText: {
            /** @description Its format. */
            form?: components["schemas"]["Form"];
            /** @description Its text. */
            text: string;
        };
        /** @description Rules to run on a page. */
        RunRequest: {
            /**
             * Format: int64
             * @description The page.
             */
            page: number;
            /** @description The rules. */
            rules: components["schemas"]["RuleText"];
        };
        /** @description Results of rules on a page. */
        RunResult: {
            /**
             * Format: int64
             * @description Microseconds that it took.
             */
            micros: number;
            /** @description Missing or unexpected values; of very many similar ones only the first. */
            problems: components["schemas"]["Problem"][];
            /** @description Statistics of each rule. */
            rules: components["schemas"]["RuleReport"][];
            /** @description A table for each list; what the page tells of itself, outside of any list, is a table of one row, `page`. */
            tables: components["schemas"]["Table"][];
            /** @description Number of further problems. */
            unreported: number;
        };
        /** @description Result of saving. */
        Saved: {
            /** @description The files that were written. */
            files: string[];
        };
        /** @description A wrapper to save. */
        SaveRequest: {
            /** @description The file, below the folder that the studio was started in. */
            path: string;
            /** @description True if an existing file may be replaced. */
            replace?: boolean;
            /** @description The rules. */
            rules: components["schemas"]["RuleText"];
        };
        /** @description One record that is shown. */
        Shown: {
            /** @description Its fields. */
            fields: components["schemas"]["Field"][];
            /**
             * Format: int64
             * @description The page it is on.
             */
            page: number;
        };
        /** @description A place on a page: an element, a text, an attribute, or a part of a text. */
        Spot: {
            /** @description The attribute, if it is one. */
            attribute?: string | null;
            /** @description The element (`data-w`). */
            node: number;
            /** @description The part that is meant, as it reads, if it is not all of that. */
            part?: string | null;
            /** @description The number of the text among the element's texts, from 0, if it is a text. */
            text?: number | null;
        };
        /** @description Initial state of the studio: the pages and wrapper given at the start. */
        Start: {
            /** @description True if a browser for rendering pages is installed. */
            can_render: boolean;
            /** @description The domains that come along. */
            domains: components["schemas"]["DomainInfo"][];
            /** @description Failures of the pages that could not be opened. */
            failures: components["schemas"]["Failure"][];
            /** @description The wrapper's file, if it has one: where it is saved to unless another name is given. */
            file?: string | null;
            /** @description Pages that were named on the command line, opened already. */
            pages: components["schemas"]["PageInfo"][];
            rules?: components["schemas"]["RuleText"] | null;
            /** @description The version of Windrow. */
            version: string;
        };
        /** @description A step of an absolute XPath. */
        Step: {
            /** @description Its element. */
            node: number;
            /** @description As it is written: `li[2]`. */
            text: string;
        };
        /** @description Contents of a store. */
        Stored: {
            /** @description Its wrappers, with the last version of each. */
            wrappers: components["schemas"]["StoredWrapper"][];
        };
        /** @description A page of a store: its records are kept, the page is where it was. */
        StoredPage: {
            /** @description An address or a file. */
            name: string;
            /** @description Time at which it was last seen. */
            seen: string;
        };
        /** @description A wrapper of a store. */
        StoredWrapper: {
            /** @description Faults in its last runs, for display. */
            broken: string[];
            /** @description Its name. */
            name: string;
            /** @description The pages it was run on, the last ones first. */
            pages: components["schemas"]["StoredPage"][];
            /** @description Its last version. */
            rules: components["schemas"]["RuleText"];
            /** @description Time at which it was first run. */
            since: string;
        };
        /** @description A store to look into. */
        StoreRequest: {
            /** @description A file or `postgres://…`. */
            store: string;
        };
        /** @description The records of a list. */
        Table: {
            /** @description Its columns. */
            columns: components["schemas"]["Column"][];
            /** @description The list's label. */
            label: string;
            /** @description Its records; of very many the first ones. */
            rows: components["schemas"]["Row"][];
            /** @description Its rule: names from the outermost on, parted by `.` */
            rule: string;
            /** @description Total number of records. */
            total: number;
        };
    };
    responses: never;
    parameters: never;
    requestBodies: never;
    headers: never;
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    find_lists: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["DiscoverRequest"];
            };
        };
        responses: {
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Discovered"];
                };
            };
        };
    };
    export_records: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ExportRequest"];
            };
        };
        responses: {
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description the file; its media type is the format's */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/octet-stream": components["schemas"]["Exported"];
                };
            };
        };
    };
    learn_domain: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["DomainRequest"];
            };
        };
        responses: {
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Learned"];
                };
            };
        };
    };
    learn_example: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ExampleRequest"];
            };
        };
        responses: {
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Learned"];
                };
            };
        };
    };
    learn_feed: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["FeedRequest"];
            };
        };
        responses: {
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Learned"];
                };
            };
        };
    };
    run_many: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ManyRequest"];
            };
        };
        responses: {
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ManyRow"][];
                };
            };
        };
    };
    open: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["OpenRequest"];
            };
        };
        responses: {
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Opened"];
                };
            };
        };
    };
    close: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                page: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    place_info: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                page: number;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PlaceRequest"];
            };
        };
        responses: {
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PlaceInfo"];
                };
            };
        };
    };
    repair_rules: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["RepairRequest"];
            };
        };
        responses: {
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Repaired"];
                };
            };
        };
    };
    find_alternatives: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["AlternativesRequest"];
            };
        };
        responses: {
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Alternatives"];
                };
            };
        };
    };
    save_case: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CaseRequest"];
            };
        };
        responses: {
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Saved"];
                };
            };
        };
    };
    convert_rules: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ConvertRequest"];
            };
        };
        responses: {
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RuleText"];
                };
            };
        };
    };
    edit_rules: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["EditRequest"];
            };
        };
        responses: {
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RuleText"];
                };
            };
        };
    };
    save_rules: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SaveRequest"];
            };
        };
        responses: {
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Saved"];
                };
            };
        };
    };
    run_rules: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["RunRequest"];
            };
        };
        responses: {
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RunResult"];
                };
            };
        };
    };
    start: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Start"];
                };
            };
        };
    };
    look_into: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["StoreRequest"];
            };
        };
        responses: {
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Stored"];
                };
            };
        };
    };
}
