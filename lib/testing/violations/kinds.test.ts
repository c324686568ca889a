import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'

const KIND = "'(exercise|browser|repository|harbor)'"
const QUESTIONS = [
  new RegExp(`\\b(kind|suiteKind|name)\\)?\\s*[!=]==\\s*${KIND}`),
  new RegExp(`\\bcase ${KIND}:`),
  /\bis(Exercise|Harbor|Repository|Workflow|Browser)(Suite|Task)?\(\w*([tT]ask|[sS]uite)/,
]
/** The kinds themselves; and a kind of assertions that has the name of one. */
const LEFT_OUT =
  /^runner\/kinds\/\w+\/|^lib\/testing\/|\.(test|e2e)\.tsx?$|^runner\/engine\/judge-stored-workflow\.ts$/

const findQuestions = (text: string) =>
  text.split('\n').filter((line) => QUESTIONS.some((question) => question.test(line)))

describe('kinds of tasks', () => {
  it('are asked for in their tables alone', () => {
    const sources = ['app', 'components', 'lib', 'runner']
      .flatMap((room) =>
        readdirSync(room, { recursive: true, encoding: 'utf8' }).map((name) => join(room, name)),
      )
      .filter((path) => /\.tsx?$/.test(path) && !LEFT_OUT.test(path))
    expect(sources.length).toBeGreaterThan(1000)
    const found = sources.flatMap((path) =>
      findQuestions(readFileSync(path, 'utf8')).map((line) => `${path}: ${line.trim()}`),
    )
    expect(found).toEqual([])
  })

  it.each([
    "if (suite.kind === 'browser') return",
    "one.suiteKind !== 'harbor'",
    "kindOf(task).kind === 'exercise'",
    "    case 'repository':",
    'if (isHarbor(task)) return',
    'isBrowserSuite(suiteId)',
  ])('turns red at %s', (line) => {
    expect(findQuestions(line)).toHaveLength(1)
  })
})
