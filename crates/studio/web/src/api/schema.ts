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
        /** Learns from what a person points at. */
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
        /** What there is at a place of a page. */
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
        /** Tells other ways of finding what a rule finds. */
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
        /** Keeps a page with what the rules find on it, as `windrow test` reads it. */
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
        /** What the studio was started with. */
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
        /** Tells what a store has, and which of its wrappers broke. */
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
            /** @description Whether it is what the rule says now. */
            current: boolean;
            /** @description XPath or CSS. */
            expression: string;
            /** @description Values that it finds in all. */
            found: number;
            /**
             * Format: float
             * @description How likely it is to outlive a redesign, from 0 to 1.
             */
            robustness: number;
            /** @description Values that it finds just as the rule does. */
            same: number;
            /** @description Where it finds something. */
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
            /** @description Whether files that are there may be replaced. */
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
            /** @description Whether a record may have several. */
            many: boolean;
            /** @description Whether a page may lack it. */
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
            /** @description What to make of them. */
            to: components["schemas"]["Form"];
        };
        /** @description The lists of a page, the main one first. */
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
            /** @description What its things are, in a few words. */
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
        /** @description What to do with a rule. */
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
            /** @description What to do with it. */
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
            /** @description What it says it is. */
            media_type?: string | null;
            /** @description Its address. */
            url: string;
        };
        /** @description One thing that was seen of a list. */
        Evidence: {
            /** @description What it is. */
            name: string;
            /**
             * Format: float
             * @description How much there is of it.
             */
            value: number;
            /**
             * Format: float
             * @description What it adds to the score, or takes from it.
             */
            worth: number;
        };
        /** @description What a person points at. */
        ExampleRequest: {
            /** @description The records that are shown; one is enough on most pages. */
            examples: components["schemas"]["Shown"][];
            /** @description What to call the list. */
            name?: string | null;
            /** @description What must not come out. */
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
        /** @description Why something could not be done. */
        Failure: {
            /** @description What kind of error, for programs: `wrapper::unknown_key`. */
            code: string;
            /** @description What to do. */
            help?: string | null;
            /** @description Where in the rules that were sent. */
            labels?: components["schemas"]["Label"][];
            /** @description What is wrong, for people. */
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
            /** @description Where it is. */
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
            /** @description What spoke for it and against it, the weightiest first. */
            evidence: components["schemas"]["Evidence"][];
            /** @description Where its records are: the path of the first. */
            place: string;
            /** @description What it finds. */
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
            /** @description What is said of it. */
            text: string;
        };
        /** @description What was learned. */
        Learned: {
            /**
             * Format: int64
             * @description Microseconds that learning took.
             */
            micros: number;
            /** @description What to know about it, for people. */
            notes: string[];
            /** @description What it finds on the page. */
            result: components["schemas"]["RunResult"];
            /** @description The wrapper, as TOML. */
            rules: components["schemas"]["RuleText"];
        };
        /** @description What was done to a list. */
        ListChange: {
            /** @description How many of them the new rules find again. */
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
        /** @description What rules found on one of several pages. */
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
            /** @description Where it is. */
            spot: components["schemas"]["Spot"];
        };
        /** @description What was opened. */
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
            /** @description How many more there are. */
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
            /** @description What to call it. */
            name: string;
            /** @description Where it was found. */
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
            /** @description What is less than perfect about it. */
            notes: string[];
            /** @description What it calls itself. */
            title: string;
            /** @description Its address, if it has one. */
            url?: string | null;
            /** @description Where its view is, for a sandboxed frame; the path alone. */
            view: string;
        };
        /** @description What there is at a place. */
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
        /** @description What is asked about a place. */
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
        /** @description What a repair did, or why it refused. */
        Repaired: {
            after?: components["schemas"]["RunResult"] | null;
            before?: components["schemas"]["RunResult"] | null;
            /** @description What to do then. */
            hint?: string | null;
            /** @description What was done to each list. */
            lists: components["schemas"]["ListChange"][];
            /** @description What to know about it. */
            notes: string[];
            /** @description What changes in the text. */
            patch: string;
            /** @description Why there is nothing to accept, for people; the rest is empty then, but for `before` and `after`. */
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
        /** @description What was done to a rule. */
        RuleChange: {
            /** @description How it finds them now. */
            after: string;
            /** @description How many of these are the same. */
            agreed: number;
            /** @description How it found its values. */
            before: string;
            /** @description Values that could be compared. */
            compared: number;
            /** @description Whether it was kept as it is. */
            kept: boolean;
            /** @description The rule: names from the outermost on, parted by `.` */
            rule: string;
        };
        /** @description What one rule did. */
        RuleReport: {
            /**
             * Format: int64
             * @description Places that it was asked at.
             */
            asked: number;
            /** @description `list`, `field` or `group`. */
            kind: string;
            label?: components["schemas"]["Label"] | null;
            /** @description How it finds its values, in a few words. */
            locator: string;
            /**
             * Format: int64
             * @description How many of these had something.
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
        /** @description What rules found on a page. */
        RunResult: {
            /**
             * Format: int64
             * @description Microseconds that it took.
             */
            micros: number;
            /** @description What was missing, or not as the rules say; of thousands alike only the first. */
            problems: components["schemas"]["Problem"][];
            /** @description What each rule did. */
            rules: components["schemas"]["RuleReport"][];
            /** @description A table for each list; what the page tells of itself, outside of any list, is a table of one row, `page`. */
            tables: components["schemas"]["Table"][];
            /** @description How many further problems there are. */
            unreported: number;
        };
        /** @description What was saved. */
        Saved: {
            /** @description The files that were written. */
            files: string[];
        };
        /** @description A wrapper to save. */
        SaveRequest: {
            /** @description The file, below the folder that the studio was started in. */
            path: string;
            /** @description Whether a file that is there may be replaced. */
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
        /** @description What the studio was started with. */
        Start: {
            /** @description Whether a browser is there that can render pages. */
            can_render: boolean;
            /** @description The domains that come along. */
            domains: components["schemas"]["DomainInfo"][];
            /** @description What of them could not be opened. */
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
        /** @description What a store has. */
        Stored: {
            /** @description Its wrappers, with the last version of each. */
            wrappers: components["schemas"]["StoredWrapper"][];
        };
        /** @description A page of a store: its records are kept, the page is where it was. */
        StoredPage: {
            /** @description An address or a file. */
            name: string;
            /** @description When it was last seen. */
            seen: string;
        };
        /** @description A wrapper of a store. */
        StoredWrapper: {
            /** @description What its last runs say is broken, for people. */
            broken: string[];
            /** @description Its name. */
            name: string;
            /** @description The pages it was run on, the last ones first. */
            pages: components["schemas"]["StoredPage"][];
            /** @description Its last version. */
            rules: components["schemas"]["RuleText"];
            /** @description When that was first run. */
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
            /** @description How many there are in all. */
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
