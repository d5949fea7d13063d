// What to do with a drift branch and its pull request, from what is proposed and what is there: decided before anything is written.

/** What tonight's drift comes to, for one pull request. */
export interface Proposed {
  /** Whether there is nothing to propose. */
  isEmpty: boolean;
  /** The drift digest: which cases behave differently, and how. */
  digest: string;
  /** Digest of what the proposal stands on: the base's suites, prompts and cassettes of the cases in it. */
  inputs: string;
}

/** What GitHub holds. */
export interface Standing {
  /** Where the branch is; absent where there is none. */
  head?: string;
  /** Of our newest commit on the branch. */
  digest?: string;
  inputs?: string;
  /** Commits on the branch that are none of ours and do more than restore the base's files. */
  foreign: readonly string[];
  /** Whether a label or a person allows to overwrite them. */
  mayOverwrite: boolean;
  /** Our open pull request. */
  open?: { number: number; hasConflict: boolean };
  /** Our newest closed one. */
  closed?: { headSha: string; isMerged: boolean };
}

/**
 * What to do. `open`: write the branch, open · `reopen`: the branch stands as it should, only the pull request is missing ·
 * `update`: rewrite the branch, edit · `keep`: the branch keeps its bytes · `close`: comment, close, delete the branch ·
 * `tidy`: delete a branch of ours that nothing needs · `stop`: somebody else has worked on the branch · `none`.
 */
export type Step = 'open' | 'reopen' | 'update' | 'keep' | 'close' | 'tidy' | 'stop' | 'none';

/** Decides for one branch. What was rejected is no part of `proposed` any more. */
export function stepFor(proposed: Proposed, standing: Standing): Step {
  const { head, open, closed, foreign, mayOverwrite } = standing;
  // A merged branch that nobody deleted holds nothing that is not merged.
  const isSpent = open === undefined && closed?.isMerged === true && closed.headSha === head;
  const isTheirs = head !== undefined && foreign.length > 0 && !mayOverwrite && !isSpent;
  if (proposed.isEmpty) {
    if (open) return isTheirs ? 'stop' : 'close';
    if (head === undefined) return 'none';
    return isTheirs ? 'none' : 'tidy';
  }
  if (isTheirs) return 'stop';
  const isCurrent =
    head !== undefined &&
    foreign.length === 0 &&
    standing.digest === proposed.digest &&
    standing.inputs === proposed.inputs;
  if (open === undefined) return isCurrent && !isSpent ? 'reopen' : 'open';
  return isCurrent && !open.hasConflict ? 'keep' : 'update';
}
