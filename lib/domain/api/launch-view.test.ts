import { expect, it } from 'vitest'
import { sampleBoardSuite, sampleRun } from '#lib/testing/factories/sample-run.ts'
import { type Arm, digestArm } from '../record/index.ts'
import { parseLaunch, readLaunchFields } from '../runs/index.ts'
import { viewFrozen } from './launch-view.ts'

const suite = {
  ...sampleBoardSuite(1),
  kind: 'exercise' as const,
  version: '1',
  protocolVersion: 1,
  source: null,
}
const { run } = sampleRun({ suite, repetitions: 1 })

const arm = (name: string, promptPrefix?: string): Arm => {
  const content = { files: [], mcpServers: [], ...(promptPrefix && { promptPrefix }) }
  return { name, ...content, digest: digestArm(content) }
}

function viewOf(arms?: Arm[]) {
  const request = readLaunchFields({
    suite: 'sample',
    subject: 'claude',
    model: 'm',
    parallel: '2',
  })
  const parsed = parseLaunch(request)
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.problems))
  const plan = arms ? { ...run.plan, arms } : run.plan
  const about = { suite, isolation: null, warnings: [], key: 'k' }
  return viewFrozen(plan, { ...parsed.request, concurrency: 2 }, about)
}

it('names the arms of a plan: beside it, at the episodes, and in the command line', () => {
  const { arms, first, command } = viewOf([arm('baseline'), arm('careful', 'Read first.')])
  expect(arms).toEqual(['baseline', 'careful'])
  expect(first.map((line) => line.replace(/r\d/, 'r')).sort()).toEqual([
    'task-1 r · baseline',
    'task-1 r · careful',
  ])
  expect(command).toEqual([
    '# arms.yaml: the field Arms of this form (baseline, careful)',
    expect.stringMatching(
      /^npx proofboard run --suite sample --subject agent-a .* --arms arms\.yaml --concurrency 2$/,
    ),
  ])
})

it('names none of a plan without arms', () => {
  const { arms, first, command } = viewOf()
  expect([arms, first]).toEqual([[], ['task-1 r1']])
  expect(command).toEqual([expect.not.stringContaining('arms')])
})
