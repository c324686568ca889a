import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Plugin } from 'esbuild'

const STUBBED = /^(jest-util|jest-message-util)$/
/** Messages without colours: the functions of chalk that jest uses. */
const CHALK = `const plain = String
module.exports = { green: plain, red: plain, dim: plain, bold: plain, yellow: plain, inverse: plain, bgYellow: plain }`

/** Resolves the patched parts of jest: the guard, the stubs, and each package file with its changes. */
export function patchedExpect(childFolder: string): Plugin {
  const seen = new Set<string>()
  return {
    name: 'patched-expect',
    setup({ onResolve, onLoad, onEnd }) {
      onResolve({ filter: STUBBED }, () => ({ path: join(childFolder, 'expect-stubs.ts') }))
      onResolve({ filter: /^proofboard:guard$/ }, () => ({
        path: join(childFolder, 'expect-guard.ts'),
      }))
      onResolve({ filter: /^chalk$/ }, () => ({ path: 'chalk', namespace: 'stub' }))
      onLoad({ filter: /.*/, namespace: 'stub' }, () => ({ contents: CHALK }))
      onLoad({ filter: /[\\/]build[\\/].*\.js$/ }, async ({ path }) => {
        const posix = path.replaceAll('\\', '/')
        const name = Object.keys(EXPECT_PATCHES).find((key) =>
          posix.endsWith(`/node_modules/${key}`),
        )
        if (name === undefined) return undefined
        seen.add(name)
        return {
          contents: applyPatches(name, await readFile(path, 'utf8'), EXPECT_PATCHES[name] ?? []),
          loader: 'js',
        }
      })
      onEnd(({ errors }) => {
        const unused = Object.keys(EXPECT_PATCHES).filter((name) => !seen.has(name))
        if (errors.length === 0 && unused.length > 0)
          throw new Error(`not part of the bundle: ${unused.join(', ')}`)
      })
    },
  }
}

/** One change to a package's text. `times` is checked: another version of the package must fail the build. */
type Patch = { find: string; replace: string; times: number }

const G = '__guard'

/**
 * Changes to jest's own `expect` 29.7, so that a value under test cannot influence its own comparison. The messages
 * stay jest's; only the functions that inspect values change.
 */
const EXPECT_PATCHES: Record<string, readonly Patch[]> = {
  'expect/build/jestMatchersObject.js': [
    // Registered symbols would let a solution find the matchers and join them.
    { find: 'Symbol.for(', replace: `${G}.privateSymbol(`, times: 2 },
    {
      find: 'if (!Object.prototype.hasOwnProperty.call(globalThis, JEST_MATCHERS_OBJECT)) {',
      replace: 'const store = {};\n{',
      times: 1,
    },
    {
      find: 'Object.defineProperty(globalThis, JEST',
      replace: 'Object.defineProperty(store, JEST',
      times: 1,
    },
    { find: 'globalThis[JEST_MATCHERS_OBJECT]', replace: 'store[JEST_MATCHERS_OBJECT]', times: 6 },
  ],
  'expect/build/index.js': [
    {
      find: 'const processResult = (result, asyncError) => {\n      _validateResult(result);',
      replace: `const processResult = (result, asyncError) => {\n      _validateResult(result);\n      ${G}.onAssertion(result.pass !== isNot);`,
      times: 1,
    },
    { find: 'return actual.then(', replace: `return ${G}.settle(actual,`, times: 1 },
    { find: 'return actualWrapper.then(', replace: `return ${G}.settle(actualWrapper,`, times: 1 },
    {
      find: 'return Promise.reject(outerErr);',
      replace: `${G}.onAssertion(false);\n        return Promise.reject(outerErr);`,
      times: 2,
    },
  ],
  'expect/build/asymmetricMatchers.js': [
    {
      find: "$$typeof = Symbol.for('jest.asymmetricMatcher');",
      replace: `$$typeof = ${G}.privateSymbol('jest.asymmetricMatcher');`,
      times: 1,
    },
    {
      find: 'this.sample = sample;\n    this.inverse = inverse;\n  }\n  getMatcherContext',
      replace: `this.sample = sample;\n    this.inverse = inverse;\n    ${G}.brandMatcher(this);\n  }\n  getMatcherContext`,
      times: 1,
    },
    {
      find: 'other instanceof this.sample;',
      replace: `${G}.isInstance(other, this.sample);`,
      times: 1,
    },
    { find: 'other.some(another =>', replace: `${G}.someItem(other, another =>`, times: 1 },
    {
      find: "(0, _expectUtils.isA)('String', other) && other.includes(this.sample)",
      replace: "typeof other === 'string' && other.includes(this.sample)",
      times: 1,
    },
    {
      find: "(0, _expectUtils.isA)('String', other) && this.sample.test(other)",
      replace: `${G}.testPattern(this.sample, other)`,
      times: 1,
    },
    {
      find: "if (!(0, _expectUtils.isA)('Number', other)) {",
      replace: "if (typeof other !== 'number') {",
      times: 1,
    },
  ],
  'expect/build/matchers.js': [
    {
      find: 'received instanceof expected',
      replace: `${G}.isInstance(received, expected)`,
      times: 1,
    },
    {
      find: 'new RegExp(expected).test(received)',
      replace: `${G}.testPattern(new RegExp(expected), received)`,
      times: 1,
    },
  ],
  'expect/build/spyMatchers.js': [
    {
      find: 'const isMock = received =>\n  received != null && received._isMockFunction === true;',
      replace: `const isMock = ${G}.isMock;`,
      times: 1,
    },
    {
      find: 'const isSpy = received =>\n',
      replace: 'const isSpy = received => false &&\n',
      times: 1,
    },
  ],
  'expect/build/toThrowMatchers.js': [
    {
      find: 'expected.test(thrown.message)',
      replace: `${G}.testPattern(expected, thrown.message)`,
      times: 1,
    },
    {
      find: 'thrown.value instanceof expected',
      replace: `${G}.isInstance(thrown.value, expected)`,
      times: 1,
    },
    // Read the message once: a getter may return a string first and something misleading later.
    {
      find: "const hasMessage =\n    e !== null && e !== undefined && typeof e.message === 'string';",
      replace:
        "const message = e !== null && e !== undefined ? e.message : undefined;\n  const hasMessage = typeof message === 'string';",
      times: 1,
    },
    { find: 'message: e.message,\n', replace: 'message,\n', times: 1 },
    {
      find: 'message: hasMessage ? e.message : String(e)',
      replace: 'message: hasMessage ? message : String(e)',
      times: 1,
    },
  ],
  '@jest/expect-utils/build/jasmineUtils.js': [
    {
      find: "return !!obj && isA('Function', obj.asymmetricMatch);",
      replace: `return ${G}.isMatcher(obj);`,
      times: 1,
    },
    {
      find: 'function isDomNode(obj) {\n  return (',
      replace: 'function isDomNode(obj) {\n  return false && (',
      times: 1,
    },
    {
      find: '  switch (className) {',
      replace: `  switch (${G}.comparesBySlot(className, a, b) ? className : '') {`,
      times: 1,
    },
    {
      find: 'if (a instanceof Error && b instanceof Error) {',
      replace: `if (${G}.isInstance(a, Error) && ${G}.isInstance(b, Error)) {`,
      times: 1,
    },
    {
      find: 'return a.message == b.message;',
      replace: 'return a.message === b.message;',
      times: 1,
    },
  ],
  '@jest/expect-utils/build/utils.js': [
    {
      find: 'if (a.size !== undefined) {\n    if (a.size !== b.size) {',
      replace: `const sameSize = ${G}.sameCollection(a, b);\n  if (sameSize === false) return false;\n  if (sameSize !== undefined || a.size !== undefined) {\n    if (sameSize === undefined && a.size !== b.size) {`,
      times: 1,
    },
    {
      find: 'for (const aValue of a) {\n        if (!b.has',
      replace: `for (const aValue of ${G}.trueEntries(a)) {\n        if (!b.has`,
      times: 1,
    },
    {
      find: 'for (const aEntry of a) {',
      replace: `for (const aEntry of ${G}.trueEntries(a)) {`,
      times: 1,
    },
    {
      find: 'for (const bValue of b) {',
      replace: `for (const bValue of ${G}.trueEntries(b)) {`,
      times: 1,
    },
    {
      find: 'for (const bEntry of b) {',
      replace: `for (const bEntry of ${G}.trueEntries(b)) {`,
      times: 1,
    },
    // Split a property path without a regular expression, whose methods the solution could replace.
    {
      find: 'propertyPath.replace(pattern, match => {\n    properties.push(match);\n    return match;\n  });',
      replace: `${G}.eachMatch(pattern, propertyPath, match => properties.push(match));`,
      times: 1,
    },
  ],
  '@jest/expect-utils/build/immutableUtils.js': [
    // Immutable.js is not available; its marks would only mislead.
    {
      find: 'source && isObjectLiteral(source)',
      replace: 'false && isObjectLiteral(source)',
      times: 2,
    },
    {
      find: 'source &&\n      isObjectLiteral(source)',
      replace: 'false &&\n      isObjectLiteral(source)',
      times: 4,
    },
  ],
  'pretty-format/build/plugins/AsymmetricMatcher.js': [
    {
      find: "Symbol.for('jest.asymmetricMatcher')",
      replace: `${G}.privateSymbol('jest.asymmetricMatcher')`,
      times: 1,
    },
  ],
  'jest-diff/build/index.js': [
    {
      find: "Symbol.for('jest.asymmetricMatcher')",
      replace: `${G}.privateSymbol('jest.asymmetricMatcher')`,
      times: 1,
    },
  ],
}

/** Applies a file's patches; throws if the number of matches is unexpected. */
export function applyPatches(path: string, text: string, patches: readonly Patch[]): string {
  let patched = text
  for (const { find, replace, times } of patches) {
    const parts = patched.split(find)
    if (parts.length - 1 !== times) {
      throw new Error(
        `${path}: expected ${times} × ${JSON.stringify(find)}, found ${parts.length - 1}`,
      )
    }
    patched = parts.join(replace)
  }
  return patched.replace(
    "'use strict';",
    `'use strict';\nconst ${G} = require('proofboard:guard');`,
  )
}
