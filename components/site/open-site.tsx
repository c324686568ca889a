import type { ReactNode } from 'react'
import {
  type Board,
  type BoardRow,
  badgePath,
  badgeText,
  countRows,
  renderBadge,
} from '#lib/domain/board/index.ts'
import {
  type AnyEpisode,
  type EvidenceFile,
  FILM_FILE,
  finalScreenshot,
  type SubmittedRun,
  subjectLabel,
} from '#lib/domain/record/index.ts'
import type { Suite } from '#lib/domain/tasks/index.ts'
import { episodeTabs } from '../episode/episode-tabs.ts'
import { SuiteView, statisticsOf, TaskView } from '../suite/suite-view.tsx'
import { boardFolder, pageFile, safeName } from './addresses.ts'
import type { BoardAppProps } from './board-app.tsx'
import { CheckPage } from './check-page.tsx'
import { drawBoardPage, drawPage } from './draw-page.tsx'
import { EntryPage } from './entry-page.tsx'
import { EpisodePage, type EpisodePart } from './episode-page.tsx'
import { readEpisode, type ShownEpisode } from './episode-view.ts'
import { listSiteData, listSitePages } from './list-pages.ts'
import type { SitePage } from './more-pages.tsx'
import { RunPage, RunsPage } from './run-pages.tsx'
import { listCells, summariseRun, viewRun } from './run-views.ts'
import {
  MAX_FILE_BYTES,
  newestBoards,
  type Site,
  type SiteData,
  type SiteFile,
  type SiteInput,
} from './site-input.ts'

/** The pages of a board as files, each rendered on request. The same input gives the same bytes. */
export function openSite(input: SiteInput): Site {
  const site = new SiteFiles(input)
  return { paths: [...site.files.keys()], draw: async (path) => site.files.get(path)?.() ?? null }
}

type Draw = () => SiteFile | null | Promise<SiteFile | null>

class SiteFiles {
  readonly files = new Map<string, Draw>()
  readonly #input: SiteInput
  readonly #titles: ReadonlyMap<string, string>
  /** Evidence files by their address in the app. */
  readonly #served = new Map<string, string>()
  #lastEpisode: { episodeId: string; shown: Promise<ShownEpisode> } | null = null

  constructor(input: SiteInput) {
    this.#input = input
    this.#titles = new Map(input.boards.map(({ suite }) => [suite.suiteId, suite.title]))
    for (const [index, board] of input.boards.entries()) this.#addBoard(board, index === 0)
    const summaries = () => input.runs.map((run) => summariseRun(run, this.#boardOf(run)))
    this.#addPage('runs/index.html', 'Runs', '/runs', () => (
      <RunsPage runs={summaries().sort(latestFirst)} titles={this.#titles} />
    ))
    for (const run of input.runs) this.#addRun(run)
    for (const suite of input.suites) this.#addSuite(suite)
    for (const page of listSitePages(input, this.#listSuites())) this.#addSitePage(page)
    for (const data of listSiteData(input)) this.#addData(data)
    if (input.copy) this.#addCheck(input.copy.at)
  }

  /** Adds the page that verifies a copy. */
  #addCheck(at: string): void {
    const check = () =>
      drawPage(
        'Check this copy',
        <CheckPage at={at} />,
        this.#contextOf('check/index.html', '/check'),
        { script: 'check' },
      )
    this.files.set('check/index.html', () => asPage(check()))
    // A host shows it for any address, so it cannot have relative links.
    this.files.set('404.html', () => asPage(MISSING_PAGE))
  }

  #addPage(file: string, title: string, address: string, draw: () => ReactNode): void {
    this.files.set(file, () => asPage(drawPage(title, draw(), this.#contextOf(file, address))))
  }

  #addSitePage({ address, title, draw }: SitePage): void {
    const { file } = pageFile(address) ?? {}
    // A browser cannot open `/agents/..`: that is another page.
    const [pathname = ''] = address.split('?')
    if (file !== undefined && !this.files.has(file)) this.#addPage(file, title, pathname, draw)
  }

  #addData({ address, type, write }: SiteData): void {
    const { file } = pageFile(address) ?? {}
    if (file !== undefined) this.files.set(file, () => ({ type, body: write() }))
  }

  #contextOf(file: string, address: string) {
    const { version, copy } = this.#input
    return { file, address, version, copy, find: (wanted: string) => this.#find(wanted) }
  }

  #find(address: string): string | null {
    const served = this.#served.get(address)
    if (served !== undefined) return served
    const page = pageFile(address)
    return page && this.files.has(page.file) ? page.file + page.rest : null
  }

  #addBoard(board: Board, isHome: boolean): void {
    const { suiteId, title, digest } = board.suite
    const versions = this.#input.boards.filter(({ suite }) => suite.suiteId === suiteId)
    const isNewest = versions[0] === board
    const draw = (file: string) => () => {
      const others = versions.filter((one) => one !== board).map(({ suite }) => suite.digest)
      const props = { board, suites: this.#listSuites(), versions: others }
      return asPage(drawBoardPage(title, props, this.#contextOf(file, '/')))
    }
    const folders = [
      boardFolder(suiteId, digest),
      ...(isNewest ? [boardFolder(suiteId, null)] : []),
    ]
    const files = folders.map((folder) => `${folder}/index.html`)
    for (const file of isHome ? ['index.html', ...files] : files) this.files.set(file, draw(file))
    for (const row of board.rows) this.#addEntry(board, row)
  }

  #listSuites(): BoardAppProps['suites'] {
    return newestBoards(this.#input).map(({ suite: { suiteId, title, tasks }, rows }) => {
      return { suiteId, title, tasks: tasks.length, ...countRows(rows) }
    })
  }

  #correctionsOf(targets: readonly string[]) {
    return this.#input.correctionsOf?.(targets) ?? []
  }

  #boardOf({ plan }: SubmittedRun): Board | null {
    return this.#input.boards.find(({ suite }) => suite.digest === plan.suiteDigest) ?? null
  }

  #suiteOf(suiteId: string, digest: string): Suite | null {
    const { suites } = this.#input
    return suites.find((one) => one.suiteId === suiteId && one.digest === digest) ?? null
  }

  #addEntry(board: Board, row: BoardRow): void {
    const folder = `rows/${safeName(row.rowId)}`
    const cells = () =>
      this.#input.runs
        .filter(({ runId }) => row.runIds.includes(runId))
        .flatMap((run) => listCells({ episodes: run.episodes.filter((one) => isOfRow(one, row)) }))
    this.#addPage(`${folder}/index.html`, subjectLabel(row.subject), '/', () => (
      <EntryPage board={board} cells={cells()} row={row} />
    ))
    this.#served.set(badgePath(row.rowId), `${folder}/badge.svg`)
    this.files.set(`${folder}/badge.svg`, () => ({
      type: 'image/svg+xml',
      body: renderBadge(badgeText(row)),
    }))
  }

  #addRun(run: SubmittedRun): void {
    const { plan, runId } = run
    const around = {
      board: this.#boardOf(run),
      suite: this.#suiteOf(plan.suiteId, plan.suiteDigest),
      provenance: this.#input.provenanceOf(runId),
    }
    this.#addPage(`runs/${safeName(runId)}/index.html`, subjectLabel(plan.subject), '/runs', () => (
      <RunPage
        corrections={this.#correctionsOf([runId])}
        run={viewRun(run, around)}
        titles={this.#titles}
      />
    ))
    for (const episode of run.episodes) this.#addEpisode(episode, run)
  }

  #addEpisode(episode: AnyEpisode, run: SubmittedRun): void {
    const { episodeIds } = this.#input
    const { episodeId, evidence, taskId } = episode
    if (episodeIds && !episodeIds.has(episodeId)) return
    const folder = `episodes/${safeName(episodeId)}`
    const places = new Map(
      evidence.map((file, index) => [file.path, `${folder}/files/${index}.${extensionOf(file)}`]),
    )
    for (const file of evidence) this.#addEvidence(episode, file, places.get(file.path) ?? '')
    const hrefOf = (path: string) => `/api/v1/episodes/${episodeId}/files/${path}`
    const isModelDriven = evidence.some(({ role }) => role === 'transcript')
    const tabs = episodeTabs({ episode, calls: isModelDriven ? [] : null })
    const parts: EpisodePart[] = [...tabs.map(({ id }) => id), 'gate-log']
    for (const part of parts) {
      const { file = '' } = pageFile(addressOf(episodeId, part)) ?? {}
      this.files.set(file, async () => {
        const shown = await this.#read(episode, run)
        const content = (
          <EpisodePage
            corrections={this.#correctionsOf([episodeId, run.runId])}
            hrefOf={hrefOf}
            neighbours={run.episodes}
            part={part}
            shown={shown}
          />
        )
        const title = `${taskId}: ${episode.outcome.status}`
        return asPage(drawPage(title, content, this.#contextOf(file, `/episodes/${episodeId}`)))
      })
    }
  }

  #addEvidence(episode: AnyEpisode, file: EvidenceFile, place: string): void {
    const api = `/api/v1/episodes/${episode.episodeId}`
    const frame = /^\D*(\d+)\D*$/.exec(file.path.split('/').at(-1) ?? '')?.[1]
    this.#served.set(`${api}/files/${file.path}`, place)
    if (file === finalScreenshot(episode.evidence)) this.#served.set(`${api}/screenshot`, place)
    else if (frame !== undefined && file.path.startsWith(FILM_FILE.replace(/[^/]*$/, '')))
      this.#served.set(`${api}/screenshot?frame=${Number(frame)}`, place)
    this.files.set(place, async () => {
      const { state, bytes } = await this.#input.read(episode, file, MAX_FILE_BYTES)
      return state === 'missing' ? null : { type: typeOf(place), body: bytes }
    })
  }

  /** The tabs of an episode are rendered one after the other from the same files. */
  #read(episode: AnyEpisode, run: SubmittedRun): Promise<ShownEpisode> {
    const { episodeId, suiteId, suiteDigest } = episode
    if (this.#lastEpisode?.episodeId === episodeId) return this.#lastEpisode.shown
    const { read, provenanceOf } = this.#input
    const suite = this.#suiteOf(suiteId, suiteDigest)
    const shown = readEpisode(episode, { run, suite, read, provenance: provenanceOf(run.runId) })
    this.#lastEpisode = { episodeId, shown }
    return shown
  }

  #addSuite(suite: Suite): void {
    const { suiteId, title, digest } = suite
    const board = this.#input.boards.find((one) => one.suite.digest === digest) ?? null
    const add = (address: string, name: string, draw: () => ReactNode) => {
      const file = pageFile(address)?.file ?? ''
      if (!this.files.has(file)) this.#addPage(file, name, '/suites', draw)
    }
    const rows = board?.rows ?? []
    const { tasks } = statisticsOf(suite, rows)
    add(`/suites/${suiteId}`, title, () => <SuiteView rows={rows} suite={suite} />)
    for (const task of suite.tasks) {
      const statistics = tasks.find(({ taskId }) => taskId === task.taskId)
      add(`/suites/${suiteId}/tasks/${task.taskId}`, task.title, () => (
        <TaskView rows={rows} statistics={statistics} suite={suite} task={task} />
      ))
    }
  }
}

const MISSING_PAGE = `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>Not in this copy · Proofboard</title></head>
<body><main><h1>Not in this copy</h1><p>This is a static copy: this page needs the server, or was left out of the copy.</p></main></body></html>
`

function addressOf(episodeId: string, part: EpisodePart): string {
  const path = `/episodes/${episodeId}`
  if (part === 'summary') return path
  return `${path}?tab=${part === 'gate-log' ? 'logs&log=gate' : part}`
}

function latestFirst(a: { createdAt: string }, b: { createdAt: string }): number {
  return a.createdAt < b.createdAt ? 1 : -1
}

/** True for attempts that count towards an entry: those of its runs, with its arm. */
function isOfRow({ subject, suiteDigest }: AnyEpisode, row: BoardRow): boolean {
  return subject.arm === row.subject.arm && suiteDigest === row.suiteDigest
}

function asPage(body: string): SiteFile {
  return { type: 'text/html; charset=utf-8', body }
}

const IMAGES: Readonly<Record<string, string>> = {
  jpg: 'image/jpeg',
  png: 'image/png',
  webp: 'image/webp',
}

/** Evidence is served as an image or plain text, whatever its name says. */
function extensionOf({ path }: EvidenceFile): string {
  const extension = /\.(\w+)$/.exec(path)?.[1]?.replace('jpeg', 'jpg') ?? ''
  return extension in IMAGES ? extension : 'txt'
}

function typeOf(place: string): string {
  return IMAGES[place.split('.').at(-1) ?? ''] ?? 'text/plain; charset=utf-8'
}
