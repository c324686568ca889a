// @ts-check
const LEAST = [20, 19]

/**
 * Null when this version of node will do, else the one line to say.
 * @param {string} version as in `process.versions.node`
 * @returns {string | null}
 */
export function checkNode(version) {
  const [major = 0, minor = 0] = version.split('.').map(Number)
  const [leastMajor = 0, leastMinor = 0] = LEAST
  if (major > leastMajor || (major === leastMajor && minor >= leastMinor)) return null
  return `Proofboard needs node ${LEAST.join('.')} or newer; this is ${version}. See https://nodejs.org`
}
