import type { Metadata } from 'next'
import { OperationEntry, ProblemTable } from '#components/docs/api-reference.tsx'
import { CommandLines, PageHeading, Section, WithContents } from '#components/ui/layout.tsx'
import {
  API_PREFIX,
  buildOpenApi,
  curlLine,
  listOperations,
  operationUrl,
} from '#lib/domain/api/index.ts'
import { countOf } from '#lib/domain/record/index.ts'
import { currentVersion, env } from '#lib/env.ts'
import { HTTP_STATUS } from '#lib/errors.ts'
import { chooseBoard } from '#lib/server/board/board.ts'
import { listSubjectSummaries } from '#lib/server/board/rows.ts'
import { listEpisodes } from '#lib/server/runs/episodes.ts'
import { readExamples } from './read-examples.ts'

export const dynamic = 'force-dynamic'
export const metadata: Metadata = {
  title: 'API',
  description: 'All data of the pages as JSON: endpoints, parameters and responses.',
}

const TITLES: Record<string, string> = {
  board: 'Board',
  suites: 'Suites and tasks',
  runs: 'Runs',
  episodes: 'Episodes and logs',
  ledger: 'Ledger',
  methods: 'Methods, formats, health',
  writes: 'Uploading',
}

/** The API reference, generated from the OpenAPI document with this server's URL and ids. */
export default async function ApiReferencePage() {
  const { publicUrl, readsPerMinute } = env()
  const document = buildOpenApi({ publicUrl, version: currentVersion() })
  const operations = listOperations(document)
  const names = await chooseNames()
  const addresses = new Map(
    operations.map((operation) => [operation.id, operationUrl(operation, names)]),
  )
  const examples = await readExamples(addresses, names)
  const parts = document.tags.map(({ name }) => ({
    id: `part-${name}`,
    title: TITLES[name] ?? name,
    parts: operations
      .filter(({ part }) => part === name)
      .map(({ id, path }) => ({ id, title: path.slice(API_PREFIX.length) || path })),
  }))
  return (
    <>
      <PageHeading title="API">
        All data of the pages as JSON, readable without an account and from any origin. Rates are
        between 0 and 1, durations are milliseconds, cost is in millionths of a dollar, and null
        means unknown.
      </PageHeading>
      <div className="mb-8">
        <Manners publicUrl={publicUrl} readsPerMinute={readsPerMinute} />
      </div>
      <WithContents entries={[...parts, { id: 'problems', title: 'Errors' }]}>
        {document.tags.map(({ name }) => (
          <Section id={`part-${name}`} key={name} title={TITLES[name] ?? name}>
            {operations
              .filter(({ part }) => part === name)
              .map((operation) => (
                <OperationEntry
                  example={examples.get(operation.id) ?? null}
                  key={operation.id}
                  line={curlLine(operation, addresses.get(operation.id) ?? '', publicUrl)}
                  operation={operation}
                />
              ))}
          </Section>
        ))}
        <Section id="problems" title="Errors">
          <p className="mb-3 max-w-3xl">
            Errors are problem documents (RFC 9457, <code>application/problem+json</code>).{' '}
            <code>detail</code> is a message for people, <code>code</code> is stable for programs.
          </p>
          <ProblemTable
            problems={Object.entries(HTTP_STATUS).map(([code, status]) => ({ code, status }))}
          />
        </Section>
      </WithContents>
    </>
  )
}

const FIRST = { after: null, limit: 1 }

/** Example values of the API parameters that exist on this server. */
async function chooseNames(): Promise<Record<string, string>> {
  const [{ board, suiteId }, episodes, subjects] = await Promise.all([
    chooseBoard(null),
    listEpisodes({ withEvidence: true }, FIRST),
    listSubjectSummaries({}, FIRST),
  ])
  const [row, other] = board?.rows ?? []
  const [episode] = episodes.items
  return {
    suiteId: suiteId ?? 'typescript',
    taskId: board?.suite.tasks[0]?.taskId ?? 'two-bucket',
    rowId: row?.rowId ?? 'ROW',
    otherRowId: other?.rowId ?? 'OTHER',
    runId: episode?.runId ?? row?.runIds.at(-1) ?? 'RUN',
    episodeId: episode?.episodeId ?? 'EPISODE',
    subjectId: subjects.items[0]?.subjectId ?? 'SUBJECT',
    axis: 'task-completion',
    name: 'episode',
  }
}

function Manners({ publicUrl, readsPerMinute }: { publicUrl: string; readsPerMinute: number }) {
  const limit =
    readsPerMinute === 0
      ? 'Reads are not rate-limited on this server.'
      : `Each IP address can make ${countOf(readsPerMinute, 'request')} per minute; the RateLimit headers show the remaining requests.`
  return (
    <div className="max-w-3xl space-y-2">
      <p>
        Lists are paginated: <code>next</code> in the response and the header <code>Link</code>{' '}
        contain the URL of the next page; null marks the last page. Every response has an{' '}
        <code>ETag</code>; send it as <code>If-None-Match</code> to get 304 if nothing has changed.{' '}
        {limit}
      </p>
      <p>
        To follow results without polling the API, subscribe to the feed as{' '}
        <a className="link" href="/feed.xml">
          Atom
        </a>{' '}
        or{' '}
        <a className="link" href="/feed.json">
          JSON Feed
        </a>
        , narrowed by <code>kind</code>, <code>suite</code> and <code>agent</code>. It reports a
        change of an entry only if a{' '}
        <a className="link" href="/methodology/costs#changes">
          test
        </a>{' '}
        finds one.
      </p>
      <p>
        The API is also available as an OpenAPI 3.1 document. File formats are listed under{' '}
        <a className="link" href={`${API_PREFIX}/schemas`}>
          schemas
        </a>
        .
      </p>
      <CommandLines
        label="Copy"
        lines={[`curl -s '${publicUrl.replace(/\/$/, '')}${API_PREFIX}/openapi.json'`]}
      />
    </div>
  )
}
