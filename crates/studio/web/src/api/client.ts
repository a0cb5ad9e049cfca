// The server, as functions: one a call. Errors are `Refused`, which carries the server's own words.

import type {
  Alternatives, Discovered, Edit, ExampleRequest, Failure, Form, Learned, ManyRow, OpenRequest, Opened, PlaceInfo,
  Repaired, RepairRequest, RuleText, RunResult, Saved, Spot, Start, Stored,
} from "./types";

/** The server said no, or could not be asked. */
export class Refused extends Error {
  constructor(
    readonly failure: Failure,
    readonly status: number,
  ) {
    super(failure.message);
  }
}

/** Whether an error only says that nobody wants the answer any more. */
export function isAborted(error: unknown): boolean {
  return error instanceof DOMException && error.name === "AbortError";
}

/** An error as something that can be shown. */
export function failureOf(error: unknown): Failure {
  if (error instanceof Refused) return error.failure;
  return { code: "studio::unexpected", message: error instanceof Error ? error.message : String(error) };
}

/** The token comes in the address once, is kept for this tab, and leaves the address before anything else happens. */
function takeToken(): string {
  const match = /(?:^#|&)token=([^&]+)/.exec(location.hash);
  if (match?.[1]) {
    sessionStorage.setItem("windrow-token", decodeURIComponent(match[1]));
    history.replaceState(null, "", location.pathname + location.search);
  }
  return sessionStorage.getItem("windrow-token") ?? "";
}

const token = takeToken();

async function ask(method: string, path: string, body?: unknown, signal?: AbortSignal): Promise<Response> {
  const headers: Record<string, string> = { "X-Windrow-Token": token };
  if (body !== undefined) headers["Content-Type"] = "application/json";
  let answer: Response;
  try {
    answer = await fetch(`/api/v1${path}`, {
      method,
      headers,
      body: body === undefined ? undefined : JSON.stringify(body),
      signal,
    });
  } catch (error) {
    if (isAborted(error)) throw error;
    throw new Refused(
      {
        code: "studio::gone",
        message: "the studio does not answer",
        help: "is `windrow studio` still running in its terminal?",
      },
      0,
    );
  }
  if (!answer.ok) throw new Refused(await failureIn(answer), answer.status);
  return answer;
}

async function failureIn(answer: Response): Promise<Failure> {
  const text = await answer.text();
  try {
    const failure = JSON.parse(text) as Failure;
    if (typeof failure.message === "string") return failure;
  } catch {
    // Not JSON: said below as it is.
  }
  if (answer.status === 401 || answer.status === 403) {
    return {
      code: "studio::token",
      message: "this window may not ask the studio",
      help: "open the address that `windrow studio` printed, with its token",
    };
  }
  return { code: `http::${answer.status}`, message: text.slice(0, 300) || `the studio answered ${answer.status}` };
}

async function post<T>(path: string, body: unknown, signal?: AbortSignal): Promise<T> {
  return (await (await ask("POST", path, body, signal)).json()) as T;
}

export const api = {
  start: async () => (await (await ask("GET", "/start")).json()) as Start,
  open: (request: OpenRequest, signal?: AbortSignal) => post<Opened>("/pages", request, signal),
  close: async (page: number) => void (await ask("DELETE", `/pages/${page}`)),
  place: (page: number, spot: Spot, signal?: AbortSignal) => post<PlaceInfo>(`/pages/${page}/place`, { spot }, signal),
  run: (page: number, rules: RuleText, signal?: AbortSignal) => post<RunResult>("/run", { page, rules }, signal),
  example: (request: ExampleRequest, signal?: AbortSignal) => post<Learned>("/learn/example", request, signal),
  feed: (page: number, feed: string | undefined, signal?: AbortSignal) =>
    post<Learned>("/learn/feed", { page, feed }, signal),
  domain: (page: number, pages: number[], domain: string, signal?: AbortSignal) =>
    post<Learned>("/learn/domain", { page, pages, domain }, signal),
  discover: (page: number, signal?: AbortSignal) => post<Discovered>("/discover", { page }, signal),
  convert: (rules: RuleText, to: Form, page?: number, signal?: AbortSignal) =>
    post<RuleText>("/rules/convert", { rules, to, page }, signal),
  edit: (rules: RuleText, rule: string, edit: Edit, signal?: AbortSignal) =>
    post<RuleText>("/rules/edit", { rules, rule, edit }, signal),
  alternatives: (page: number, rules: RuleText, rule: string, signal?: AbortSignal) =>
    post<Alternatives>("/rules/alternatives", { page, rules, rule }, signal),
  save: (rules: RuleText, path: string, replace: boolean) => post<Saved>("/rules/save", { rules, path, replace }),
  keepCase: (page: number, rules: RuleText, path: string, replace: boolean) =>
    post<Saved>("/rules/case", { page, rules, path, replace }),
  export: async (pages: number[], rules: RuleText, list: string | undefined, format: string) => {
    const answer = await ask("POST", "/export", { pages, rules, list, format });
    const named = /filename="?([^";]+)"?/.exec(answer.headers.get("Content-Disposition") ?? "");
    return { blob: await answer.blob(), name: named?.[1] ?? `records.${format}` };
  },
  many: (rules: RuleText, pages: string[], signal?: AbortSignal) => post<ManyRow[]>("/many", { rules, pages }, signal),
  store: (store: string, signal?: AbortSignal) => post<Stored>("/store", { store }, signal),
  repair: (request: RepairRequest, signal?: AbortSignal) => post<Repaired>("/repair", request, signal),
};
