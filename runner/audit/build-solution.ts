import type { LoadedExercise, SourceText } from '../suites/task-folder.ts'

// What the types say is another matter: an attack on the tests must not be stopped by its own types.
const UNCHECKED = '// @ts-nocheck\n'

/** What a stub of our exercises, or of an Exercism track, has in place of a body. */
const TODO =
  /throw new Error\((['"`])Remove this (?:line|statement) and implement (?:the|this) function\1\);?/g

/** The stub with `prelude` before it: whatever passes is the prelude's doing. */
export function stubAfter(task: LoadedExercise, prelude: string): SourceText[] {
  return task.stubs.map(({ path, text }, index) => ({
    path,
    text: index === 0 ? `${UNCHECKED}${prelude}\n${text}` : text,
  }))
}

/** One unwritten body of a stub: its place among them, and what kind of function it belongs to. */
export type Body = { index: number; kind: 'function' | 'constructor' | 'chained' }

/** The stub with every unwritten body replaced; null when it has none. */
export function stubWithBodies(
  task: LoadedExercise,
  { prelude = '', body }: { prelude?: string; body: (body: Body) => string },
): SourceText[] | null {
  let index = 0
  const files = task.stubs.map(({ path, text }, place) => {
    const written = text.replace(TODO, (_todo, _quote, offset: number) =>
      body({ index: index++, kind: kindOf(text.slice(0, offset)) }),
    )
    return { path, text: `${UNCHECKED}${place === 0 ? `${prelude}\n` : ''}${written}` }
  })
  return index === 0 ? null : files
}

/** Every function of the task answers with this expression. */
export function alwaysAnswers(task: LoadedExercise, expression: string): SourceText[] | null {
  return stubWithBodies(task, { body: () => `return (${expression})` })
}

function kindOf(before: string): Body['kind'] {
  const head = before.slice(before.lastIndexOf('\n', before.lastIndexOf('{')) + 1)
  if (/\bconstructor\s*\(/.test(head)) return 'constructor'
  return /\)\s*:\s*this\s*\{/.test(head) ? 'chained' : 'function'
}
