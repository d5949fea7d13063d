// The parts of src/ that benches call from inside; bundled before use, so that no loader stands between its files.

export { cassettePath, promptPath } from '../src/cassette/paths.ts';
export { readCassette, writeCassette, writePrompt } from '../src/cassette/text.ts';
export { identify } from '../src/request/fingerprint.ts';
export { recorder } from '../src/responder/recorder.ts';
export { requestOf } from '../src/run/case.ts';
export { loadProject } from '../src/suite/load.ts';
export { agentTarget } from '../src/target/agent.ts';
