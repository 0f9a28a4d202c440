// The page's side of the worker: start it, ask it one thing at a time, end it.
import type { Answer, FromWorker, Question, Scipy, Settings } from "./messages";

export const LONGEST = 30_000; // milliseconds that the reader's code may run
const GRACE = 3_000; // the worker ends a loop itself; if it cannot, it is ended
const ENDED = "Stopped. Python starts anew; what you have written is still there.";

type Asked = Omit<Question, "number" | "longest">;

const STOPPED: Answer = { kind: "stopped", text: ENDED, shown: [] };

class Stopped extends Error {}

/** What is told of Python's state; without a share there is no bar. */
export interface Told {
  words: string;
  share?: number;
}

export class Python {
  #worker: Worker | undefined;
  #ready: Promise<void> | undefined;
  #scipy: Scipy = "small";
  #isReady = false;
  #number = 0;
  #giveUp: (why: Error) => void = () => undefined; // for who waits until Python is ready
  #queue: Promise<unknown> = Promise.resolve();
  #waiting: { number: number; answered: (answer: Answer) => void } | undefined;
  readonly #folder: string;
  readonly #say: (told: Told) => void;

  constructor(folder: string, say: (told: Told) => void) {
    this.#folder = folder;
    this.#say = say;
  }

  /** Whether what is asked now runs at once. */
  get isReady(): boolean {
    return this.#isReady;
  }

  /** Start Python, if it has not been started. */
  start(): Promise<void> {
    if (this.#ready) return this.#ready;
    const ready = this.#started();
    this.#ready = ready;
    ready.catch(() => {
      if (this.#ready === ready) this.#end(); // so that the next press tries again
    });
    return ready;
  }

  /** Run the cells, and the check if there is one. What is asked meanwhile waits for its turn. */
  ask(asked: Asked): Promise<Answer> {
    const turn = this.#queue.then(() => this.#asked(asked));
    this.#queue = turn.catch(() => undefined);
    return turn;
  }

  /** End the worker, whatever it does. If it ran something, another one starts. */
  stop(): void {
    const waiting = this.#waiting;
    this.#end();
    if (!waiting) return;
    waiting.answered(STOPPED);
    this.start().catch(() => undefined);
  }

  #end(): void {
    this.#worker?.terminate();
    this.#giveUp(new Stopped(ENDED));
    this.#isReady = false;
    this.#worker = this.#ready = this.#waiting = undefined;
  }

  #asked(asked: Asked): Promise<Answer> {
    return this.#judged(asked).catch((error: unknown) => {
      if (error instanceof Stopped) return STOPPED;
      throw error;
    });
  }

  async #judged(asked: Asked): Promise<Answer> {
    await this.start();
    const answer = await this.#answered(asked);
    if (!answer.wantsScipy || this.#scipy === "whole") return answer;
    // The small one is imported already, so the whole one needs a Python of its own.
    this.#scipy = "whole";
    this.#end();
    await this.start();
    return this.#answered(asked);
  }

  #answered(asked: Asked): Promise<Answer> {
    const number = ++this.#number;
    const question: Question = { number, longest: LONGEST, ...asked };
    let timer: ReturnType<typeof setTimeout>;
    return new Promise<Answer>((answered) => {
      this.#waiting = { number, answered };
      timer = setTimeout(() => this.stop(), LONGEST + GRACE);
      this.#worker?.postMessage(question);
    }).finally(() => {
      clearTimeout(timer);
      if (this.#waiting?.number === number) this.#waiting = undefined;
    });
  }

  #started(): Promise<void> {
    // From a blob a worker has the policy of its page. From a file it has the policy of that file's
    // own headers, and many hosts send none: it could ask any other host.
    const file = JSON.stringify(new URL("python.js", import.meta.url).href);
    const address = URL.createObjectURL(new Blob([`import ${file};`], { type: "text/javascript" }));
    const worker = new Worker(address, { type: "module" });
    this.#worker = worker;
    const settings: Settings = { scipy: this.#scipy, folder: this.#folder };
    return new Promise((ready, failed) => {
      this.#giveUp = failed;
      worker.onerror = (event) => failed(new Error(event.message || "Python cannot be loaded."));
      worker.onmessage = ({ data }: MessageEvent<FromWorker>) => {
        switch (data.kind) {
          case "loaded":
            URL.revokeObjectURL(address);
            worker.postMessage(settings);
            break;
          case "progress":
            this.#say({ words: data.words, share: data.share });
            break;
          case "ready":
            this.#isReady = true;
            this.#say({ words: "Python is ready." });
            ready();
            break;
          case "broken":
            failed(new Error(data.words));
            break;
          case "answer":
            if (this.#waiting?.number === data.number) this.#waiting.answered(data.answer);
        }
      };
    });
  }
}
