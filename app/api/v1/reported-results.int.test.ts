import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { submissionResponseSchema } from '#lib/domain/api/write-endpoint.ts'
import { type HostileTestServer, openTestServer } from '#lib/testing/corpora/hostile/test-server.ts'

const REPORT = `<testsuites><testsuite name="s" timestamp="2026-01-02T03:04:05Z">
  <testcase name="adds" classname="math" time="0.1"/>
  <testcase name="divides" classname="math"><failure message="1/0"/></testcase>
</testsuite></testsuites>`

let server: HostileTestServer
beforeEach(async () => {
  server = await openTestServer()
})
afterEach(async () => {
  vi.unstubAllEnvs()
  await server.close()
})

async function post(query: string, body = REPORT) {
  const response = await fetch(`${server.url}/api/v1/results${query}`, {
    method: 'POST',
    headers: { 'content-type': 'application/xml', authorization: `Bearer ${server.token}` },
    body,
  })
  return { status: response.status, json: await response.json() }
}

describe('a file of another program, sent by a program', () => {
  it('is kept with what its sender says beside it, and answered as the document has it', async () => {
    const said = '?subject=my-agent&suite=my-tests&subjectVersion=1.2.3'
    const { status, json } = await post(said)
    expect([status, json.counts]).toEqual([201, { new: 2, duplicate: 0, conflict: 0, rejected: 0 }])
    expect(submissionResponseSchema.parse(json)).toEqual(json)
    expect(await server.db.subject.findFirstOrThrow()).toMatchObject({ name: 'my-agent' })
    const again = await post(said)
    expect([again.status, again.json.status]).toEqual([200, 'duplicate'])
  })

  it.each([
    ['without its subject', '?suite=my-tests', REPORT, 422, 'subject'],
    ['with a field that nobody knows', '?subjekt=x', REPORT, 400, 'subjekt'],
    ['without a time', '?subject=a&suite=b', REPORT.replace(/ timestamp="[^"]*"/, ''), 422, 'when'],
    ['cut off', '?subject=a&suite=b', REPORT.slice(0, -20), 400, 'JUnit'],
  ])('is refused %s, and nothing is kept', async (_, query, body, status, words) => {
    const refused = await post(query, body)
    expect([refused.status, refused.json.detail]).toEqual([status, expect.stringContaining(words)])
    expect(await server.db.episode.count()).toBe(0)
  })
})
