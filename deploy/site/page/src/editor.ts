// An editor for one answer, for the keyboard and for screen readers as well.
import { closeBrackets, closeBracketsKeymap } from "@codemirror/autocomplete";
import { defaultKeymap, history, historyKeymap, indentLess, indentMore } from "@codemirror/commands";
import { python } from "@codemirror/lang-python";
import { bracketMatching, HighlightStyle, indentOnInput, indentUnit, syntaxHighlighting } from "@codemirror/language";
import { EditorState, type Extension } from "@codemirror/state";
import { drawSelection, EditorView, keymap } from "@codemirror/view";
import { tags } from "@lezer/highlight";

/** What an editor is made of. */
export interface Wanted {
  parent: HTMLElement;
  text: string;
  isCode: boolean;
  label: string;
  /** The element that says which keys do what. */
  described: string;
  changed: (text: string) => void;
  run?: () => void;
  check?: () => void;
}

export interface Editor {
  text(): string;
  /** Put another text in its place, which is no change by the reader. */
  put(text: string): void;
  readonly view: EditorView;
}

// The classes of the site's other code, which are coloured light and dark.
const classed = HighlightStyle.define([
  { tag: [tags.keyword, tags.operatorKeyword, tags.controlKeyword, tags.definitionKeyword], class: "k" },
  { tag: [tags.string, tags.special(tags.string)], class: "s2" },
  { tag: [tags.number], class: "mi" },
  { tag: [tags.bool, tags.null], class: "kc" },
  { tag: [tags.comment], class: "c1" },
  { tag: [tags.function(tags.definition(tags.variableName)), tags.definition(tags.className)], class: "nf" },
]);

/**
 * Tab indents only for who has begun to write. Who comes with Tab goes on with Tab, and Escape gives
 * Tab back: nobody who has no mouse is held.
 */
function tabs(): Extension {
  let writes = false;
  const on = () => {
    writes = true;
  };
  return [
    // Observers: a handler is not told of keys that a command takes.
    EditorView.domEventObservers({
      blur: () => {
        writes = false;
      },
      pointerdown: on,
      beforeinput: on,
      keydown: (event) => {
        if (event.key === "Escape") writes = false;
        else if (!["Tab", "Shift", "Control", "Alt", "Meta"].includes(event.key)) writes = true;
      },
    }),
    keymap.of([
      { key: "Tab", run: (view) => writes && indentMore(view) },
      { key: "Shift-Tab", run: (view) => writes && indentLess(view) },
    ]),
  ];
}

const key = (name: string, act: (() => void) | undefined): Extension =>
  act ? keymap.of([{ key: name, run: () => (act(), true) }]) : [];

/** Make an editor in the page. */
export function editor(wanted: Wanted): Editor {
  let put = false;
  const code = [python(), indentUnit.of("    "), indentOnInput(), bracketMatching(), closeBrackets()];
  const view = new EditorView({
    parent: wanted.parent,
    state: EditorState.create({
      doc: wanted.text,
      extensions: [
        key("Shift-Enter", wanted.check),
        key("Mod-Enter", wanted.run),
        tabs(),
        history(),
        drawSelection(),
        ...(wanted.isCode ? [code, syntaxHighlighting(classed)] : []),
        keymap.of([...closeBracketsKeymap, ...defaultKeymap, ...historyKeymap]),
        EditorView.lineWrapping,
        EditorView.contentAttributes.of({
          "aria-label": wanted.label,
          "aria-describedby": wanted.described,
          ...(wanted.isCode ? { spellcheck: "false", autocapitalize: "off", autocorrect: "off" } : { spellcheck: "true" }),
        }),
        EditorView.updateListener.of((update) => {
          if (update.docChanged && !put) wanted.changed(update.state.doc.toString());
        }),
      ],
    }),
  });
  return {
    view,
    text: () => view.state.doc.toString(),
    put(text) {
      if (text === view.state.doc.toString()) return;
      put = true;
      view.dispatch({ changes: { from: 0, to: view.state.doc.length, insert: text } });
      put = false;
    },
  };
}
