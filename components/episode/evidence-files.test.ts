import { createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, it } from 'vitest'
import { EvidenceFiles, GatewayCalls } from './evidence-files.tsx'

it('says that there are no files instead of showing a table without rows', () => {
  const html = renderToStaticMarkup(createElement(EvidenceFiles, { files: [], pruned: [] }))
  expect(html).toContain('No files were stored for this episode.')
  expect(html).not.toContain('<table')
})

it('does not deny the gateway above a transcript that it recorded', () => {
  const data = (hasTranscript: boolean) =>
    renderToStaticMarkup(createElement(GatewayCalls, { calls: null, hasTranscript }))
  expect(data(false)).toContain('did not go through the gateway')
  expect(data(true)).not.toContain('did not go through the gateway')
})
