// The version of Retake; test/version.test.ts holds it to package.json.

/** The version of this package, as semver. */
export const VERSION = '0.1.0';
