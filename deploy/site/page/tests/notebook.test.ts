import { describe, expect, test } from "vitest";
import { answersIn, codeUpTo, exercises, handIn, inLines, sourceOf, stubs, type Cell, type Notebook } from "../src/notebook";

const cell = (cell_type: Cell["cell_type"], source: string | string[], nbgrader?: Cell["metadata"]["nbgrader"]): Cell => ({
  cell_type,
  source,
  id: String(source).slice(0, 4),
  metadata: nbgrader ? { nbgrader } : {},
});

const notebook: Notebook = {
  metadata: { kernelspec: { name: "python3" } },
  nbformat: 4,
  cells: [
    cell("markdown", "# A chapter"),
    cell("code", ["import math\n", "x = 1"], { grade_id: "setup" }),
    cell("code", "print(x)"),
    cell("code", "def f(): ...", { grade_id: "f", solution: true }),
    cell("code", "check.f(f)", { grade_id: "f_visible", grade: true, points: 2, checksum: "abc" }),
    cell("code", "def g(): ...", { grade_id: "g", solution: true }),
    cell("markdown", "YOUR ANSWER HERE", { grade_id: "words", solution: true, grade: true }),
  ],
};
const untouched = structuredClone(notebook);

describe("the places for answers", () => {
  test("are found in order, each with its check", () => {
    expect(exercises(notebook)).toEqual([
      { name: "f", isCode: true, check: "f_visible" },
      { name: "g", isCode: true },
      { name: "words", isCode: false },
    ]);
    expect([...stubs(notebook)]).toEqual([
      ["f", "def f(): ..."],
      ["g", "def g(): ..."],
      ["words", "YOUR ANSWER HERE"],
    ]);
  });

  test("get the code above them, with the answers in it and without checks", () => {
    const found = codeUpTo(notebook, new Map([["f", "def f(): return 1"]]), "g");
    expect(found).toEqual([
      { name: "setup", code: "import math\nx = 1" },
      { name: "code cell 2", code: "print(x)" },
      { name: "f", code: "def f(): return 1" },
      { name: "g", code: "def g(): ..." },
    ]);
    expect(codeUpTo(notebook, new Map(), "f").map((each) => each.name)).not.toContain("g");
    expect(() => codeUpTo(notebook, new Map(), "h")).toThrow("no exercise h");
    expect(sourceOf(notebook, "f_visible")).toBe("check.f(f)");
    expect(() => sourceOf(notebook, "h_visible")).toThrow("no cell h_visible");
  });
});

describe("the notebook to hand in", () => {
  test("differs from what was given in nothing but the answers", () => {
    const made: Notebook = JSON.parse(handIn(notebook, new Map([["f", "a\nb"], ["f_visible", "pass"], ["setup", "x = 2"]])));
    expect(made.cells[3]?.source).toEqual(["a\n", "b"]);
    const back = structuredClone(made);
    back.cells[3]!.source = notebook.cells[3]!.source;
    expect(back).toEqual(notebook);
    expect(notebook).toEqual(untouched);
  });

  test("keeps a text in lines", () => {
    expect(inLines("a\n\nb\n")).toEqual(["a\n", "\n", "b\n"]);
    expect(inLines("")).toEqual([]);
  });

  test("is read back", () => {
    const texts = new Map([["f", "a\nb"], ["words", "ü – ∑"]]);
    expect(answersIn(handIn(notebook, texts), notebook)).toEqual(new Map([...stubs(notebook), ...texts]));
  });
});

describe("what somebody opens", () => {
  test.each([["not JSON"], ["null"], ["[]"], ['{"cells": 3}'], ["3"]])("that is no notebook is refused: %s", (text) => {
    expect(() => answersIn(text, notebook)).toThrow("not a notebook");
  });

  test.each([
    ['{"cells": []}'],
    ['{"cells": [null, {"metadata": null}, {"metadata": {"nbgrader": {"grade_id": "f"}}, "source": 3}]}'],
    ['{"cells": [{"metadata": {"nbgrader": {"grade_id": "other"}}, "source": "x"}]}'],
    ['{"cells": [{"metadata": {"nbgrader": {"grade_id": "f_visible"}}, "source": "x"}]}'],
  ])("and has no answer of this chapter is refused: %s", (text) => {
    expect(() => answersIn(text, notebook)).toThrow("no answers");
  });
});
