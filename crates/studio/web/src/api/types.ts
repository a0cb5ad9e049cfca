// What goes over the wire, by the names that the server's types have. They are generated (see schema.ts).

import type { components } from "./schema";

type Schemas = components["schemas"];

export type Alternative = Schemas["Alternative"];
export type Alternatives = Schemas["Alternatives"];
export type Attribute = Schemas["Attribute"];
export type Cell = Schemas["Cell"];
export type Column = Schemas["Column"];
export type Discovered = Schemas["Discovered"];
export type DomainInfo = Schemas["DomainInfo"];
export type Edit = Schemas["Edit"];
export type Entry = Schemas["Entry"];
export type Evidence = Schemas["Evidence"];
export type ExampleRequest = Schemas["ExampleRequest"];
export type Failure = Schemas["Failure"];
export type Form = Schemas["Form"];
export type FoundList = Schemas["FoundList"];
export type Label = Schemas["Label"];
export type Learned = Schemas["Learned"];
export type ListChange = Schemas["ListChange"];
export type ManyRow = Schemas["ManyRow"];
export type Not = Schemas["Not"];
export type OpenRequest = Schemas["OpenRequest"];
export type Opened = Schemas["Opened"];
export type PageInfo = Schemas["PageInfo"];
export type PlaceInfo = Schemas["PlaceInfo"];
export type Problem = Schemas["Problem"];
export type RepairRequest = Schemas["RepairRequest"];
export type Repaired = Schemas["Repaired"];
export type Row = Schemas["Row"];
export type RuleChange = Schemas["RuleChange"];
export type RuleReport = Schemas["RuleReport"];
export type RuleText = Schemas["RuleText"];
export type RunResult = Schemas["RunResult"];
export type Saved = Schemas["Saved"];
export type Shown = Schemas["Shown"];
export type Spot = Schemas["Spot"];
export type Start = Schemas["Start"];
export type Step = Schemas["Step"];
export type Stored = Schemas["Stored"];
export type StoredPage = Schemas["StoredPage"];
export type StoredWrapper = Schemas["StoredWrapper"];
export type Table = Schemas["Table"];
