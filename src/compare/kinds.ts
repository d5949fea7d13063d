// The kinds of changes: how one case can behave differently in two runs.

/** A kind of change; a case has exactly one. */
export type ChangeKind =
  | 'regressed'
  | 'rerouted'
  | 'fixed'
  | 'rescored'
  | 'regraded'
  | 'unsettled'
  | 'incomparable'
  | 'added'
  | 'removed'
  | 'reworded'
  | 'same';

/** What is said of a kind wherever it stands. */
export interface KindRow {
  title: string;
  /** One sentence, the case being its subject. */
  means: string;
  /** Graver is higher; the order of every report. */
  weight: number;
  /** Whether the case does something else, or comes to something else. */
  isBehaviour: boolean;
  /** The page that explains it. */
  page: string;
}

/** Every kind. */
export const KINDS = {
  regressed: {
    title: 'Regressed',
    means: 'passed and now fails',
    weight: 100,
    isBehaviour: true,
    page: 'docs/changes/regressed.md',
  },
  rerouted: {
    title: 'Rerouted',
    means: 'calls other tools, in another order, or with other arguments, or stops for another reason',
    weight: 90,
    isBehaviour: true,
    page: 'docs/changes/rerouted.md',
  },
  fixed: {
    title: 'Fixed',
    means: 'failed and now passes',
    weight: 80,
    isBehaviour: true,
    page: 'docs/changes/fixed.md',
  },
  rescored: {
    title: 'Rescored',
    means: 'takes the same way, and is judged differently without passing or failing for it',
    weight: 70,
    isBehaviour: true,
    page: 'docs/changes/rescored.md',
  },
  regraded: {
    title: 'Regraded',
    means: 'behaves the same, and its expectations changed',
    weight: 60,
    isBehaviour: false,
    page: 'docs/changes/regraded.md',
  },
  unsettled: {
    title: 'Unsettled',
    means: 'differs between takes, so that no change can be claimed',
    weight: 50,
    isBehaviour: false,
    page: 'docs/changes/unsettled.md',
  },
  incomparable: {
    title: 'Incomparable',
    means: 'has no verdict on one side',
    weight: 40,
    isBehaviour: false,
    page: 'docs/changes/incomparable.md',
  },
  removed: {
    title: 'Removed',
    means: 'is not there any more',
    weight: 30,
    isBehaviour: false,
    page: 'docs/changes/removed.md',
  },
  added: {
    title: 'Added',
    means: 'was not there before',
    weight: 20,
    isBehaviour: false,
    page: 'docs/changes/added.md',
  },
  reworded: {
    title: 'Reworded',
    means: 'says the same in other words',
    weight: 10,
    isBehaviour: false,
    page: 'docs/changes/reworded.md',
  },
  same: { title: 'Same', means: 'behaves as before', weight: 0, isBehaviour: false, page: 'docs/changes/same.md' },
} as const satisfies Record<ChangeKind, KindRow>;

/** All kinds, the gravest first. */
export const KINDS_BY_WEIGHT: readonly ChangeKind[] = (Object.keys(KINDS) as ChangeKind[]).sort(
  (one, other) => KINDS[other].weight - KINDS[one].weight,
);

/** How many cases do something else, or come to something else. */
export function behaviourChanges(counts: Record<ChangeKind, number>): number {
  return KINDS_BY_WEIGHT.reduce((sum, kind) => sum + (KINDS[kind].isBehaviour ? counts[kind] : 0), 0);
}
