// The editor's engine, loaded when it is first shown so that the page does not wait for it.

import { defaultKeymap, history, historyKeymap, indentWithTab } from "@codemirror/commands";
import { bracketMatching, HighlightStyle, StreamLanguage, syntaxHighlighting } from "@codemirror/language";
import { toml } from "@codemirror/legacy-modes/mode/toml";
import { lintGutter, setDiagnostics, type Diagnostic } from "@codemirror/lint";
import { Compartment, EditorState, Transaction } from "@codemirror/state";
import { Decoration, drawSelection, EditorView, keymap, lineNumbers } from "@codemirror/view";
import { tags } from "@lezer/highlight";
import type { Form } from "../api/types";

/** A place of the text and what is wrong there. */
export interface Mistake {
  start: number;
  end: number;
  message: string;
  severe: boolean;
}

export interface Editor {
  /** Shows a text that was not typed here. */
  show(text: string, form: Form): void;
  mistakes(all: Mistake[]): void;
  /** Lights up a rule and scrolls to it. */
  light(range: { start: number; end: number } | null): void;
  focus(): void;
  destroy(): void;
}

const colours = HighlightStyle.define([
  { tag: tags.comment, color: "var(--soft)", fontStyle: "italic" },
  { tag: tags.string, color: "var(--f2)" },
  { tag: [tags.propertyName, tags.definition(tags.propertyName)], color: "var(--f0)" },
  { tag: [tags.number, tags.bool, tags.atom], color: "var(--f1)" },
  { tag: [tags.bracket, tags.heading, tags.keyword], color: "var(--f4)" },
]);

const theme = EditorView.theme({
  "&": { height: "100%", backgroundColor: "var(--bg)", color: "var(--text)", fontSize: "12px" },
  "&.cm-focused": { outline: "2px solid var(--accent)", outlineOffset: "-2px" },
  ".cm-scroller": { fontFamily: "var(--mono)", lineHeight: "1.55" },
  ".cm-content": { caretColor: "var(--text)" },
  ".cm-cursor": { borderLeftColor: "var(--text)" },
  ".cm-gutters": { backgroundColor: "var(--panel)", color: "var(--soft)", borderRight: "1px solid var(--line)" },
  "&.cm-focused .cm-selectionBackground, .cm-selectionBackground": { background: "var(--accent-soft) !important" },
  ".cm-lit": { backgroundColor: "var(--chosen)" },
  ".cm-tooltip": { backgroundColor: "var(--raised)", color: "var(--text)", border: "1px solid var(--line-strong)" },
  ".cm-diagnostic": { whiteSpace: "pre-wrap" },
});

/** Makes an editor in an element. */
export function makeEditor(parent: HTMLElement, typed: (text: string) => void): Editor {
  const language = new Compartment();
  const lit = new Compartment();
  const readOnly = new Compartment();
  let quiet = false;
  const view = new EditorView({
    parent,
    state: EditorState.create({
      extensions: [
        lineNumbers(),
        lintGutter(),
        history(),
        drawSelection(),
        bracketMatching(),
        EditorView.lineWrapping,
        keymap.of([...defaultKeymap, ...historyKeymap, indentWithTab]),
        syntaxHighlighting(colours),
        theme,
        language.of([]),
        lit.of([]),
        readOnly.of([]),
        EditorView.contentAttributes.of({ "aria-label": "Rules" }),
        EditorView.updateListener.of((update) => {
          if (update.docChanged && !quiet) typed(update.state.doc.toString());
        }),
      ],
    }),
  });
  const inside = (at: number): number => Math.max(0, Math.min(at, view.state.doc.length));
  return {
    show(text, form) {
      const effects = [
        language.reconfigure(form === "toml" ? StreamLanguage.define(toml) : []),
        readOnly.reconfigure(form === "absolute" ? EditorState.readOnly.of(true) : []),
      ];
      quiet = true;
      const same = view.state.doc.toString() === text;
      view.dispatch(
        // What the studio writes is undone by the studio; the editor takes back what was typed.
        same
          ? { effects }
          : {
              effects,
              changes: { from: 0, to: view.state.doc.length, insert: text },
              annotations: Transaction.addToHistory.of(false),
            },
      );
      quiet = false;
    },
    mistakes(all) {
      const diagnostics: Diagnostic[] = all.map(({ start, end, message, severe }) => ({
        from: inside(start),
        to: inside(Math.max(end, start + 1)),
        message,
        severity: severe ? "error" : "warning",
      }));
      view.dispatch(setDiagnostics(view.state, diagnostics));
    },
    light(range) {
      if (!range || inside(range.end) <= inside(range.start)) {
        view.dispatch({ effects: lit.reconfigure([]) });
        return;
      }
      const mark = Decoration.mark({ class: "cm-lit" }).range(inside(range.start), inside(range.end));
      view.dispatch({
        effects: [
          lit.reconfigure(EditorView.decorations.of(Decoration.set([mark]))),
          EditorView.scrollIntoView(inside(range.start), { y: "nearest" }),
        ],
      });
    },
    focus: () => view.focus(),
    destroy: () => view.destroy(),
  };
}
