import type { Metadata } from 'next'
import Link from 'next/link'
import { notFound } from 'next/navigation'
import { cache } from 'react'
import { plural } from '#components/format/number.ts'
import { TaskTable } from '#components/suite/task-table.tsx'
import { PageHeading } from '#components/ui/page-heading.tsx'
import { ShortDigest } from '#components/ui/short-digest.tsx'
import { getBoard } from '#lib/board/get-board.ts'

export const dynamic = 'force-dynamic'

type SuitePageProps = { params: Promise<{ suiteId: string }> }

const readBoard = cache(getBoard)

export async function generateMetadata({ params }: SuitePageProps): Promise<Metadata> {
  const board = await readBoard((await params).suiteId)
  return { title: board ? board.suite.title : 'Not found' }
}

/** One suite: its tasks and its identity. */
export default async function SuitePage({ params }: SuitePageProps) {
  const board = await readBoard((await params).suiteId)
  if (!board) notFound()
  const { suite, rows } = board
  return (
    <>
      <PageHeading
        title={suite.title}
        trail={
          <Link className="link" href="/suites">
            Suites
          </Link>
        }
      >
        {suite.description}
      </PageHeading>
      <p className="mb-4 flex flex-wrap gap-x-5 gap-y-1">
        <span>{plural(suite.tasks.length, 'task')}</span>
        <span>
          Digest <ShortDigest digest={suite.digest} />
        </span>
        <Link className="link" href={`/?suite=${encodeURIComponent(suite.suiteId)}`}>
          {plural(rows.length, 'row')} on its board
        </Link>
      </p>
      <TaskTable tasks={suite.tasks} />
    </>
  )
}
