// `retake validate`: loads every suite and reads every cassette, asks nobody.

import { type Cassette, everyInteraction, rebuildRequests } from '../cassette/cassette.ts';
import { credentialFaults } from '../cassette/credentials.ts';
import { openStore, type Store } from '../cassette/store.ts';
import { type Fault, UserError } from '../errors.ts';
import { identify } from '../request/fingerprint.ts';
import { isRecorded } from '../suite/live-code.ts';
import { loadProject } from '../suite/load.ts';
import { checkSchemas } from './schemas.ts';

/** What to validate. */
export interface ValidateOptions {
  cwd: string;
  globs: string[];
  env: Record<string, string | undefined>;
}

/** What was found sound. */
export interface ValidateReport {
  suites: number;
  cases: number;
  cassettes: number;
  takes: number;
  interactions: number;
  /** Worth knowing, no error: a case without a cassette. */
  notes: string[];
}

/** Rebuilds every request of a cassette and compares its fingerprint with the one recorded. */
function fingerprintFaults(cassette: Cassette, store: Store): Fault[] {
  const file = store.path(cassette.suite, cassette.case);
  const faults: Fault[] = [];
  cassette.takes.forEach((take, takeAt) => {
    const interactions = everyInteraction(take);
    rebuildRequests(interactions, store.openPrompt(cassette.suite)).forEach((request, at) => {
      const recorded = interactions[at];
      if (identify(request).fingerprint === recorded?.fingerprint) return;
      const place = at < take.interactions.length ? `turn ${at + 1}` : `question ${at + 1}`;
      faults.push({
        code: 'cassette_damaged',
        message: `the fingerprint of take ${takeAt + 1}, ${place} is not that of its request`,
        place: { file },
        remedy: `Restore it with \`git checkout -- ${file}\`, or record again with \`retake record\`.`,
      });
    });
  });
  return faults;
}

/** Checks the whole project. Throws UserError with every fault found. */
export async function validate({ cwd, globs, env }: ValidateOptions): Promise<ValidateReport> {
  const project = loadProject({ cwd, globs, env });
  await checkSchemas(project.suites);
  const store = openStore(project.root, project.config.cassettesDir);
  const report: ValidateReport = { suites: 0, cases: 0, cassettes: 0, takes: 0, interactions: 0, notes: [] };
  const faults: Fault[] = [];
  for (const suite of project.suites) {
    report.suites++;
    for (const planned of suite.cases) {
      report.cases++;
      if (!isRecorded(planned)) continue;
      try {
        const cassette = store.read(suite.name, planned.name);
        if (!cassette) {
          report.notes.push(`${suite.name} › ${planned.name} has no recording: retake record --missing`);
          continue;
        }
        report.cassettes++;
        report.takes += cassette.takes.length;
        for (const take of cassette.takes) report.interactions += everyInteraction(take).length;
        faults.push(...fingerprintFaults(cassette, store));
      } catch (error) {
        if (!(error instanceof UserError)) throw error;
        faults.push(...error.faults);
      }
    }
  }
  for (const { file, text } of store.texts()) faults.push(...credentialFaults(file, text));
  if (faults.length > 0) {
    const seen = new Map(faults.map((fault) => [JSON.stringify(fault), fault]));
    throw new UserError([...seen.values()]);
  }
  return report;
}
