import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { planSchema } from '#lib/domain/record/index.ts'
import { ATTACK_CLASS_IDS } from '#lib/domain/reports/attack-audit.ts'
import { sampleTask } from '#lib/testing/factories/agent-samples.ts'
import { ATTACKS, quickAttacks } from '../suites/verify/attacks/attacks.ts'
import { attackCommand, readSelfReports } from './agent-script.ts'

const root = mkdtempSync(join(tmpdir(), 'proofboard-test-'))
afterAll(() => rmSync(root, { recursive: true, force: true }))
const task = sampleTask(root)

describe('the attacks', () => {
  it('are at least sixty, of every class but the browser’s, with names of their own', () => {
    expect(ATTACKS.length).toBeGreaterThanOrEqual(60)
    expect(new Set(ATTACKS.map(({ name }) => name)).size).toBe(ATTACKS.length)
    const classes = new Set<string>(ATTACKS.map((attack) => attack.class))
    expect([...classes].sort()).toEqual(
      ATTACK_CLASS_IDS.filter((id) => id !== 'browser-shortcuts').sort(),
    )
  })

  it.each(ATTACKS.filter((attack) => attack.kind === 'agent'))(
    '$name fits into a plan, for ten tasks at once',
    (attack) => {
      const tasks = Array.from({ length: 10 }, (_, index) => {
        const taskId = `a-task-with-a-long-name-${index}`
        return {
          ...task,
          folder: `/some/clone/exercises/${taskId}`,
          task: { ...task.task, taskId },
        }
      })
      const place = {
        tasks,
        root: '/some/clone',
        data: '/tmp/d',
        keyVariable: 'A_KEY',
        loopbackPort: 1,
      }
      const command = attackCommand(attack, place)
      expect(planSchema.shape.command.safeParse(command).success).toBe(true)
    },
  )

  it('meet a task once for each class in its proof, and not all tasks alike', () => {
    const [one, other] = [quickAttacks('lru-cache', true), quickAttacks('csv-parser', true)]
    expect(one.map((attack) => attack.class)).toEqual(other.map((attack) => attack.class))
    expect(one.map(({ name }) => name)).not.toEqual(other.map(({ name }) => name))
    expect(quickAttacks('lru-cache', true)).toEqual(one)
  })

  it('ask a task with visible tests only for nothing that it cannot hold', () => {
    const classes = quickAttacks('lru-cache', false).map((attack) => attack.class)
    expect(classes).not.toContain('answers-memorised')
    expect(classes.length).toBeGreaterThan(3)
  })
})

describe('readSelfReports', () => {
  it('reads whole lines of a script and nothing that only looks like one', () => {
    const proof = Array.from({ length: 8 }, () => '0123abcd').join('-')
    const log = `x AUDIT reached database ${proof}\nAUDIT reached database ${proof}\nAUDIT out-of-reach runner\nAUDIT tried\n`
    expect(readSelfReports(log)).toEqual([
      { said: 'reached', what: 'database', proof },
      { said: 'out-of-reach', what: 'runner', proof: null },
    ])
  })
})
