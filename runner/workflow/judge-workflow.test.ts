import { expect, it } from 'vitest'
import type { SeenRequest } from '../apps/app-pool.ts'
import { findTampering } from './judge-workflow.ts'

const seen = (method: string, path: string, client: SeenRequest['client']): SeenRequest => ({
  at: '',
  method,
  path,
  status: 200,
  client,
})
const codesOf = (...requests: SeenRequest[]) => findTampering(requests).map(({ code }) => code)

it('finds nothing in what a browser sends, nor where clients are not told apart', () => {
  expect(codesOf(seen('POST', '/notes', 'browser'), seen('GET', '/', 'browser'))).toEqual([])
  expect(codesOf(seen('POST', '/notes', null))).toEqual([])
})

it('reports no tampering for a connection that closed too early, nor for one that only reads', () => {
  expect(codesOf(seen('POST', '/notes', 'gone'), seen('GET', '/notes', 'other'))).toEqual([])
  expect(codesOf(seen('POST', '/notes', 'another-browser'))).toEqual([])
})

it('names a change by another program, a look for control, a step into another episode', () => {
  const findings = findTampering([
    seen('POST', '/notes', 'other'),
    seen('PUT', '/notes', 'other'),
    seen('GET', '/.control/tenants', 'browser'),
    seen('GET', '//e1.localhost/notes', 'browser'),
  ])
  expect(findings.map(({ code, detail }) => [code, detail.split(',')[0]])).toEqual([
    ['control-endpoint-probed', 'GET /.control/tenants'],
    ['changed-outside-browser', 'POST /notes'],
    ['reached-another-episode', 'GET //e1.localhost/notes'],
  ])
})
