import { expect, it } from 'vitest'
import { drawable, rowPreview } from './preview-text.ts'

const ROW: Parameters<typeof rowPreview>[0] = {
  rowId: 'row_1f2e3d',
  suiteId: 'typescript',
  subject: {
    kind: 'agent',
    name: 'claude',
    version: '2.1.0',
    adapterVersion: null,
    provider: null,
    modelRequested: '模型-x\u202e',
  },
  label: 'primary',
  success: {
    rate: 0.62,
    low: 0.534,
    high: 0.708,
    method: 'any',
    tasks: 25,
    attempts: 250,
    voids: 0,
  },
  repetitions: { least: 10, most: 10 },
  lastStartedAt: '2026-11-21T10:00:00.000Z',
}

it('says rate, interval, size, tier and day of a claim', () => {
  expect(rowPreview(ROW)).toMatchObject({
    suite: 'typescript',
    subject: 'claude 2.1.0 · …-x',
    rate: '62 % (53–71)',
    whisker: { rate: 62 },
    tier: 'ranked',
    isClaim: true,
    size: '25×10 (tasks × repetitions)',
    measured: '2026-11-21',
  })
})

it('says diagnostic of a row that is none, and draws no whisker where nothing is known', () => {
  const success = { ...ROW.success, rate: null, low: null, high: null }
  expect(rowPreview({ ...ROW, label: 'smoke', success })).toMatchObject({
    rate: 'rate unknown',
    whisker: null,
    tier: 'unranked',
    label: 'smoke test',
    isClaim: false,
  })
})

it('keeps what the font has, also letters that are put together, and cuts what is long', () => {
  expect(drawable('Ünïcode Слово é – ok')).toBe('Ünïcode Слово é – ok')
  expect(drawable('agent 😀日本')).toBe('agent …')
  expect(drawable('ｇｌｍ-４ ǎlpha')).toBe('glm-4 alpha')
  expect(drawable('a'.repeat(300))).toHaveLength(120)
})

it('names by its id what is named in a script that the font lacks, and leaves such a model out', () => {
  for (const name of ['智谱', 'وكيل', 'סוכן', 'ตัวแทน']) {
    const subject = { ...ROW.subject, name, modelRequested: '通义千问' }
    expect(rowPreview({ ...ROW, subject }).subject).toBe('row_1f2e3d 2.1.0')
  }
})
