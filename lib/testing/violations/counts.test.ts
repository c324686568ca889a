// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the texts are sources.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { countOf } from '#lib/domain/text/index.ts'
import { findCountViolations } from './find-count-violations.ts'

/** The verifier's programs, which import nothing; constants of the documentation; developers' tools. */
const LEFT_OUT =
  /\.(test|e2e|fixture)\.tsx?$|^lib\/(testing|setup|db\/generated)\/|^runner\/(bench|verify\/exercise\/child)\/|\/methodology\//
const sources = ['app', 'components', 'lib', 'runner', 'prisma']
  .flatMap((room) =>
    readdirSync(room, { recursive: true, encoding: 'utf8' }).map((name) => join(room, name)),
  )
  .filter((path) => /\.tsx?$/.test(path) && !LEFT_OUT.test(path))

const textsOf = (text: string) => findCountViolations('x.tsx', text).map((one) => one.text)

describe('messages with a count', () => {
  it('get their noun and verb from countOf and pluralForm', () => {
    const found = sources.flatMap((path) => {
      const found = findCountViolations(path, readFileSync(path, 'utf8'))
      return found.map((one) => `${path}:${one.line} ${one.text}`)
    })
    expect(sources.length).toBeGreaterThan(1000)
    expect(found).toEqual([])
  })

  it.each([
    ['`${done} episodes planned`', '{done} episodes planned'],
    ['`All ${facts.length} counted episodes are mock`', '{facts.length} counted episodes are mock'],
    ['`${formatCount(n)} more entries`', '{formatCount(n)} more entries'],
    ['<p>{rows.length} lines</p>', '{rows.length} lines'],
    ["n === 1 ? 'task' : 'tasks'", "n === 1 ? 'task' : 'tasks'"],
    ["n === 1 ? '1 call' : `${n} calls`", "n === 1 ? '1 call' : `${n} calls`"],
    ["n !== 1 ? 'are' : 'is'", "n !== 1 ? 'are' : 'is'"],
  ])('turns red at %s', (text, what) => {
    expect(textsOf(text)).toContain(what)
  })

  it.each([
    '`${name} is one of ${MAX_TESTS} tests`',
    "`${countOf(n, 'task')} solved`",
    "pluralForm(n, 'The task', `All ${n} tasks`)",
    '`${ms} ms after it, ${taskId} needs tests`',
    "step === 1 ? 'primary' : 'plain'",
  ])('leaves %s alone', (text) => {
    expect(textsOf(text)).toEqual([])
  })
})

it('countOf agrees with 0, 1 and more', () => {
  const forms = (one: string, other?: string) =>
    [0, 1, 2, 12_345].map((n) => countOf(n, one, other))
  expect(forms('scored episode').join(', ')).toBe(
    '0 scored episodes, 1 scored episode, 2 scored episodes, 12,345 scored episodes',
  )
  expect(forms('entry').slice(0, 2)).toEqual(['0 entries', '1 entry'])
  expect(forms('day').slice(0, 2)).toEqual(['0 days', '1 day'])
  expect(forms('class').slice(0, 2)).toEqual(['0 classes', '1 class'])
  expect(forms('file is', 'files are').slice(0, 2)).toEqual(['0 files are', '1 file is'])
})
