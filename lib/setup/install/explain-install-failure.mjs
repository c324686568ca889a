// @ts-check

/** Known ways in which an installation fails, and what to do about each. @type {[RegExp, string][]} */
const KNOWN = [
  [/ENOSPC/, 'The disk is full: free some space (about 1 GB is needed) and try again.'],
  [
    /EACCES|EPERM/,
    'npm cannot write to this folder: check the owner of the folder and its node_modules.',
  ],
  [
    /ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ETIMEDOUT|ECONNRESET/,
    'The npm registry cannot be reached: check the network or `npm config get registry`.',
  ],
  [
    /node-gyp|gyp ERR|better-sqlite3/,
    'better-sqlite3 has to be compiled on this machine: install python3, make and a C++ compiler (Debian: apt-get install -y python3 make g++; macOS: xcode-select --install), or use an even-numbered version of node.',
  ],
  [
    /EUSAGE|in sync/,
    'package-lock.json does not match package.json: run `npm install`, then `node lib/setup/complete-lock.mjs`.',
  ],
  [/EINTEGRITY/, 'A downloaded package is corrupt: run `npm cache clean --force` and try again.'],
]

/**
 * One sentence on what to do after `npm ci` failed.
 * @param {string} output
 */
export function explainInstallFailure(output) {
  const [, advice] = KNOWN.find(([sign]) => sign.test(output)) ?? []
  return advice ?? 'Run `npm ci` to see its full output.'
}
