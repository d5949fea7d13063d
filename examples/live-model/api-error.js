// Errors as OpenAI's API words them.

/**
 * An Error that the server answers with: HTTP status and the fields of OpenAI's `error` object.
 * @typedef {Error & { status: number, type: string, code: string, param: string | null }} ApiError
 */

/**
 * Makes an error of the API.
 * @param {number} status HTTP status.
 * @param {string} code
 * @param {string} message
 * @returns {ApiError}
 */
export function apiError(status, code, message) {
  const type = status >= 500 ? 'server_error' : 'invalid_request_error';
  return Object.assign(new Error(message), { status, type, code, param: null });
}

/**
 * A 400 that names the parameter at fault, such as `messages[0].role`.
 * @param {string} param
 * @param {string} message
 * @param {string} code
 * @returns {ApiError}
 */
export function badParameter(param, message, code = 'invalid_value') {
  return Object.assign(apiError(400, code, message), { param });
}

/** The HTTP status and JSON body of any error; what is no error of the API is a 500.
 * @param {unknown} error
 */
export function errorResponse(error) {
  const { status, message, type, param, code } =
    error instanceof Error && 'status' in error
      ? /** @type {ApiError} */ (error)
      : apiError(500, 'internal_error', `the server failed: ${error instanceof Error ? error.message : String(error)}`);
  return { status, body: { error: { message, type, param, code } } };
}
