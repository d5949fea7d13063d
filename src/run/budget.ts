// What a run may still spend: requests under way are counted with what they are expected to cost.

/** An allowance in USD. */
export interface Budget {
  /** Sets `usd` aside for a request. Waits while requests under way might leave enough; false where nothing will, and from then on. */
  reserve(usd: number): Promise<boolean>;
  /** Ends a reservation: `spent` is what the request came to; null where that is unknown, which counts as expected. */
  settle(reserved: number, spent: number | null): void;
  /** USD spent so far. */
  spent(): number;
  /** Whether a request was refused. */
  hasEnded(): boolean;
}

/** Sums of decimal fractions are off by less than this. */
const SLACK_USD = 1e-9;

/** A budget of `limitUsd`. */
export function budgetOf(limitUsd: number): Budget {
  let spent = 0;
  let reserved = 0;
  let ended = false;
  const waiting: { usd: number; answer: (granted: boolean) => void }[] = [];

  const fits = (usd: number) => spent + reserved + usd <= limitUsd + SLACK_USD;
  const never = (usd: number) => spent + usd > limitUsd + SLACK_USD;

  /** Answers, in the order they asked, all whose answer is certain by now. */
  function serve(): void {
    for (let first = waiting[0]; first; first = waiting[0]) {
      if (!ended && never(first.usd)) ended = true;
      if (!ended && !fits(first.usd)) return;
      if (!ended) reserved += first.usd;
      waiting.shift();
      first.answer(!ended);
    }
  }

  return {
    reserve: (usd) =>
      new Promise((answer) => {
        waiting.push({ usd, answer });
        serve();
      }),
    settle(was, now) {
      reserved = Math.max(0, reserved - was);
      spent += now ?? was;
      serve();
    },
    spent: () => spent,
    hasEnded: () => ended,
  };
}
