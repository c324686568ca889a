import { describe, expect, it } from 'vitest'
import { SAMPLE_RUN_ID, sampleEpisode, samplePlan } from '#lib/testing/factories/samples.ts'
import type { Bundle } from '../record/index.ts'
import { markdownText } from '../text/index.ts'
import { judgeResults } from './judge-results.ts'
import { summaryMarkdown } from './summary-markdown.ts'

const plan = samplePlan()
const episode = sampleEpisode()

function summary(changes: Partial<Bundle> = {}): string {
  const bundle: Bundle = {
    kind: 'proofboard-result',
    schemaVersion: 1,
    runId: SAMPLE_RUN_ID,
    plan,
    lock: episode.environment,
    shard: { index: 1, count: 1 },
    episodes: [episode],
    ...changes,
  }
  return summaryMarkdown(
    bundle,
    judgeResults([bundle], { provenance: 'oidc', findSuite: () => null }),
  )
}

describe('summaryMarkdown', () => {
  it('states eligibility with its reasons before any figure', () => {
    const text = summary()
    expect(text).toContain('## reference 1.0.0 on sample')
    expect(text).toContain('**unranked (control)**, if uploaded as oidc. Checked by its plan only')
    expect(text).toMatch(/^- mode: This is a control run/m)
    expect(text.indexOf('**Unranked**')).toBeLessThan(text.indexOf('| Success |'))
  })

  it('counts what was planned, sealed and scored, and each task apart', () => {
    const gone = sampleEpisode({
      episodeId: 'ep_00000000000000000000000000000001',
      repetition: 2,
      outcome: { status: 'void', fault: 'provider', reason: 'It was overloaded.' },
    })
    const text = summary({ episodes: [episode, gone] })
    expect(text).toContain('| Episodes | 4 planned, 2 finished, 1 scored |')
    expect(text).toContain('| Outcomes | 1 solved, 1 void |')
    expect(text).toContain('| alpha | 1 | 1 | 1 |')
    expect(text).toContain('| beta | 0 | 0 | 0 |')
  })

  it('shows no number where there is none', () => {
    const text = summary({ episodes: [] })
    expect(text).toContain('| Outcomes | – |')
    expect(text).not.toMatch(/NaN|undefined|null/)
  })

  it('lists so many tasks and says how many are left', () => {
    const tasks = Array.from({ length: 300 }, (_, index) => ({
      taskId: `task-${index}`,
      digest: plan.suiteDigest,
      category: 'text',
    }))
    const text = summary({ plan: { ...plan, tasks }, episodes: [] })
    expect(text).toContain('| … and 100 more |')
    expect(text.match(/^\| task-/gm)).toHaveLength(200)
  })
})

describe('markdownText', () => {
  it.each([
    ['<img src=x onerror=alert(1)>', '&lt;img src=x onerror=alert\\(1\\)&gt;'],
    ['a | b\n| c', 'a \\| b⟨U+000A⟩\\| c'],
    ['[click](https://evil.example)', '\\[click\\]\\(https&#58;//evil.example\\)'],
    ['@everyone #12', '&#64;everyone \\#12'],
    ['right\u202eleft', 'right⟨U+202E⟩left'],
    ['\u001b[31mred', '⟨U+001B⟩\\[31mred'],
    ['`code` **bold** &amp;', '\\`code\\` \\*\\*bold\\*\\* &amp;amp;'],
  ])('shows %j as text', (hostile, shown) => {
    expect(markdownText(hostile)).toBe(shown)
  })
  it('cuts what is too long', () => {
    expect(markdownText('x'.repeat(500))).toHaveLength(301)
  })
})
