import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { Answer, FromWorker, Question, Settings } from "../src/messages";
import { LONGEST, Python } from "../src/python";

const RIGHT: Answer = { kind: "right", text: "", shown: [] };
const CELLS = { cells: [{ name: "f", code: "f = 1" }] };

/** A worker that answers as it is told, and notes what it is asked. */
class Worker_ {
  static all: Worker_[] = [];
  static answer: (worker: Worker_, asked: Question) => Answer | undefined = () => RIGHT;
  static start: FromWorker = { kind: "ready", seconds: 1 };
  onmessage: (event: { data: FromWorker }) => void = () => undefined;
  settings: Settings | undefined;
  asked: Question[] = [];
  ended = false;

  constructor() {
    Worker_.all.push(this);
    queueMicrotask(() => this.onmessage({ data: { kind: "loaded" } }));
  }
  postMessage(message: Settings | Question): void {
    if ("folder" in message) {
      this.settings = message;
      this.onmessage({ data: Worker_.start });
      return;
    }
    this.asked.push(message);
    const answer = Worker_.answer(this, message);
    if (answer) queueMicrotask(() => this.onmessage({ data: { kind: "answer", number: message.number, answer } }));
  }
  terminate(): void {
    this.ended = true;
  }
}

beforeEach(() => {
  vi.useFakeTimers();
  vi.stubGlobal("Worker", Worker_);
  Worker_.all = [];
  Worker_.answer = () => RIGHT;
  Worker_.start = { kind: "ready", seconds: 1 };
});
afterEach(() => {
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

const python = () => new Python("https://here/python/", () => undefined);

test("one worker answers all, one question at a time", async () => {
  const one = python();
  expect(await Promise.all([one.ask(CELLS), one.ask(CELLS)])).toEqual([RIGHT, RIGHT]);
  expect(Worker_.all).toHaveLength(1);
  expect(Worker_.all[0]?.settings).toEqual({ scipy: "small", folder: "https://here/python/" });
  expect(Worker_.all[0]?.asked.map((each) => each.number)).toEqual([1, 2]);
});

test("what asks for the rest of scipy is asked again, once, where all of it is", async () => {
  Worker_.answer = (worker) => ({ ...RIGHT, kind: worker.settings?.scipy === "small" ? "wrong" : "right", wantsScipy: true });
  const one = python();
  expect((await one.ask(CELLS)).kind).toBe("right");
  expect((await one.ask(CELLS)).kind).toBe("right");
  expect(Worker_.all.map((each) => [each.settings?.scipy, each.ended])).toEqual([
    ["small", true],
    ["whole", false],
  ]);
});

test("a reader can stop what runs, and ask again", async () => {
  Worker_.answer = (worker) => (worker === Worker_.all[0] ? undefined : RIGHT);
  const one = python();
  const asked = one.ask(CELLS);
  await vi.waitUntil(() => Worker_.all[0]?.asked.length);
  one.stop();
  expect((await asked).kind).toBe("stopped");
  expect(Worker_.all[0]?.ended).toBe(true);
  expect(await one.ask(CELLS)).toEqual(RIGHT);
});

test("what does not end by itself is ended", async () => {
  Worker_.answer = (worker) => (worker === Worker_.all[0] ? undefined : RIGHT);
  const asked = python().ask(CELLS);
  await vi.advanceTimersByTimeAsync(LONGEST - 1);
  expect(Worker_.all[0]?.ended).toBe(false);
  await vi.advanceTimersByTimeAsync(5000);
  expect((await asked).kind).toBe("stopped");
});

test("where Python cannot be loaded, that is said, and the next press tries again", async () => {
  Worker_.start = { kind: "broken", words: "no network" };
  const one = python();
  await expect(one.ask(CELLS)).rejects.toThrow("no network");
  Worker_.start = { kind: "ready", seconds: 1 };
  expect(await one.ask(CELLS)).toEqual(RIGHT);
});

test("a reader can stop what loads", async () => {
  Worker_.start = { kind: "progress", words: "loading", share: 0.5 };
  const one = python();
  const asked = one.ask(CELLS);
  await vi.waitUntil(() => Worker_.all[0]?.settings);
  one.stop();
  expect((await asked).kind).toBe("stopped");
  expect(Worker_.all.map((each) => each.ended)).toEqual([true]);
  Worker_.start = { kind: "ready", seconds: 1 };
  expect(await one.ask(CELLS)).toEqual(RIGHT);
});
