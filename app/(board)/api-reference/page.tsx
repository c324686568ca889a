import type { Metadata } from 'next'
import { OperationEntry, ProblemTable } from '#components/docs/api-reference.tsx'
import { Blocks } from '#components/docs/methodology.tsx'
import { CommandLines, PageHeading, Section, WithContents } from '#components/ui/layout.tsx'
import {
  API_PREFIX,
  buildOpenApi,
  curlLine,
  listOperations,
  operationUrl,
} from '#lib/domain/api/index.ts'
import { countOf } from '#lib/domain/text/index.ts'
import { currentVersion, env } from '#lib/env.ts'
import { HTTP_STATUS } from '#lib/errors.ts'
import { chooseBoard } from '#lib/server/board/board.ts'
import { listSubjectSummaries } from '#lib/server/board/rows.ts'
import { readApiPage } from '#lib/server/board/text-pages.ts'
import { findLatestWithEvidence } from '#lib/server/runs/episodes.ts'
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
  const [reading, errors] = readApiPage(limitText(readsPerMinute)).sections
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
      <div className="mb-8 max-w-3xl space-y-3">
        <Blocks blocks={reading?.blocks ?? []} />
        <CommandLines
          label="Copy"
          lines={[`curl -s '${publicUrl.replace(/\/$/, '')}${API_PREFIX}/openapi.json'`]}
        />
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
          <div className="mb-3">
            <Blocks blocks={errors?.blocks ?? []} />
          </div>
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
  const [{ board, suiteId }, episode, subjects] = await Promise.all([
    chooseBoard(null),
    findLatestWithEvidence(),
    listSubjectSummaries({}, FIRST),
  ])
  const [row, other] = board?.rows ?? []
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

function limitText(readsPerMinute: number): string {
  return readsPerMinute === 0
    ? 'Reads are not rate-limited on this server.'
    : `Each IP address can make ${countOf(readsPerMinute, 'request')} per minute; the RateLimit headers show the remaining requests.`
}
