import { expect, it } from 'vitest'
import { loadOneTask } from '#lib/testing/factories/fake-agent.ts'
import type { LoadedExercise } from '../../suites/task-folder.ts'
import { answerFinder } from './find-answers.ts'

const TASKS = ['lru-cache', 'csv-parser', 'rate-limiter', 'interval-set', 'text-diff']

const textOf = (files: readonly { text: string }[]) => files.map(({ text }) => text).join('\n')
/** Other names, other quotes, no comments, no line ends. */
const disguised = (code: string) =>
  code
    .replace(/\/\*[\s\S]*?\*\/|\/\/.*/g, '')
    .replace(/\b(const |let |this\.#?|function )(\w+)/g, '$1$2Renamed')
    .replace(/'/g, '"')
    .replace(/\s+/g, ' ')

const found = (text: string, tasks: readonly LoadedExercise[]) =>
  answerFinder(tasks)([{ where: 'the file NOTES.md', text }])

it('finds references and tests, also in other forms, and no honest solution, stub or instruction', async () => {
  const tasks = await Promise.all(TASKS.map(loadOneTask))
  for (const { task, reference, tests, stubs, instructions, honest } of tasks) {
    const { taskId } = task
    const code = textOf(reference)
    const named = `the file NOTES.md contains the reference solution of ${taskId}`
    for (const form of [
      code,
      `# Notes\n\nDon't panic:\n\n\`\`\`ts\n${code}\n\`\`\`\n`,
      disguised(code),
      code.replace(/^/gm, '// '),
      JSON.stringify({ code }),
      Buffer.from(code).toString('base64'),
    ])
      expect(found(form, tasks), taskId).toBe(named)
    expect(found(textOf(tests).replace(/\s+/g, ' '), tasks)).toBe(
      `the file NOTES.md contains the tests of ${taskId}`,
    )
    expect(found(textOf(stubs), tasks)).toBeNull()
    expect(found(instructions, tasks)).toBeNull()
    // Solutions written from the instructions alone: two people's solutions of one task are not copies.
    for (const { name, files } of honest)
      expect(found(textOf(files), tasks), `${taskId} ${name}`).toBeNull()
  }
})
