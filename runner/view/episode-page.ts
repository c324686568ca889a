import {
  type AnyEpisode,
  type Assertion,
  countOf,
  type EvidenceFile,
  formatCost,
  formatSpan,
  isMeasured,
  isScored,
  outcomeReason,
  subjectLabel,
} from '#lib/domain/record/index.ts'
import { parseTranscript, type TranscriptStep } from '#lib/domain/transcript/index.ts'
import { facts, html, type Markup, page, table } from './html.ts'
import {
  type FileState,
  readEvidence,
  type ViewedEpisode,
  type ViewedResults,
} from './read-results.ts'

/** One attempt: outcome, verdict, what was said, what changed, logs, and every stored file. */
export function episodePage({ rows, episodes }: ViewedResults, episodeId: string): string | null {
  const viewed = episodes.get(episodeId)
  if (!viewed) return null
  const { episode } = viewed
  const { taskId, subject, repetition, attempt, outcome } = episode
  const row = rows.find(({ counted }) => counted.some((one) => one.episodeId === episodeId))?.row
  const trail = row
    ? html`/ <a href="/rows/${encodeURIComponent(row.rowId)}">${subjectLabel(row.subject)}</a>`
    : null
  const kind = outcome.status === 'solved' ? 'solved' : isScored(outcome.status) ? 'failed' : 'void'
  return page(
    taskId,
    trail,
    html`<p>${subjectLabel(subject)}, repetition ${repetition}, attempt ${attempt}</p>
<p><strong class="${kind}">${outcome.status}</strong> ${outcomeReason(outcome)}</p>
${moves(episodes, episodeId)}${overview(episode)}
<h2>Verdict</h2>${verdict(episode)}
<h2>Transcript</h2>${transcript(viewed)}
<h2>Workspace diff</h2>${shown(viewed, 'workspace-diff', diffLines)}
<h2>Logs</h2>${shown(viewed, 'subject-log', preformatted)}${shown(viewed, 'gate-log', preformatted)}
<h2>Solution</h2>${shown(viewed, 'solution', preformatted)}
<h2>Evidence</h2>${fileTable(viewed)}`,
  )
}

/** The failures before and after this attempt, in the order of the run. */
function moves(episodes: ViewedResults['episodes'], episodeId: string): Markup {
  const ids = [...episodes.keys()]
  const at = ids.indexOf(episodeId)
  const isFailure = (id: string) => episodes.get(id)?.episode.outcome.status !== 'solved'
  const before = ids.slice(0, at).findLast(isFailure)
  const after = ids.slice(at + 1).find(isFailure)
  const link = (id: string, text: string) =>
    html`<a href="/episodes/${encodeURIComponent(id)}">${text}</a> `
  return html`<p>${before === undefined ? null : link(before, '← previous failure')}${after === undefined ? null : link(after, 'next failure →')}</p>`
}

function overview(episode: AnyEpisode): Markup {
  if (!isMeasured(episode))
    return facts([
      ['Reported by', 'another program'],
      ['Run', episode.runId],
    ])
  const { effort, usage, exit, environment, integrity } = episode
  const { wall } = effort
  const input = usage?.tokens.input ?? null
  return facts([
    ['Run', episode.runId],
    ['Started', episode.startedAt],
    ['Agent’s time', wall.subjectMs === null ? null : formatSpan(wall.subjectMs)],
    ['Whole attempt', wall.totalMs === null ? null : formatSpan(wall.totalMs)],
    ['Model responses', effort.steps === null ? null : String(effort.steps)],
    ['Tokens', input === null ? null : `${input} in, ${usage?.tokens.output ?? '–'} out`],
    ['Cost', usage?.costMicroUsd == null ? null : formatCost(usage.costMicroUsd)],
    ['Exit code', exit.subject?.code == null ? null : String(exit.subject.code)],
    ['Findings', integrity.findings.map(({ code, detail }) => `${code}: ${detail}`).join('; ')],
    ['Isolation', environment.isolation],
    [
      'System',
      `${environment.os} ${environment.arch}, kernel ${environment.kernel}, node ${environment.node}`,
    ],
    ['Harness', `${environment.harness.version} ${environment.harness.commit ?? ''}`.trim()],
    ['Seal', episode.seal],
  ])
}

function verdict({ contract }: AnyEpisode): Markup {
  if (!contract) return html`<p class="muted">The success criteria were not evaluated.</p>`
  return html`<p class="${contract.verdict}">${contract.verdict}</p>${assertions(contract.assertions)}`
}

/** What failed is open, the rest is folded. */
function assertions(list: readonly Assertion[]): Markup {
  const items = list.map((one) => {
    const line = html`<span class="${one.verdict}">${one.verdict === 'pass' ? '✓' : '✗'}</span> ${one.label}`
    const seen =
      one.verdict === 'pass'
        ? null
        : html`<pre>expected ${one.expected}\nobserved ${one.observed}</pre>`
    if (one.children.length === 0) return html`<li>${line}${seen}</li>`
    const open = one.verdict === 'pass' ? null : html` open`
    return html`<li><details${open}><summary>${line}</summary>${seen}${assertions(one.children)}</details></li>`
  })
  return html`<ul class="tree">${items}</ul>`
}

type Draw = (text: string) => Markup

const WARNINGS: Readonly<Record<FileState, string | null>> = {
  whole: null,
  cut: 'Only the beginning is shown.',
  changed: 'This file was changed after it was sealed: its digest differs.',
  missing: 'This file is not here; its digest is in the envelope.',
}

/** Every file of a role, each with a warning where it is not what was sealed. */
function shown(viewed: ViewedEpisode, role: EvidenceFile['role'], draw: Draw): Markup {
  const files = viewed.episode.evidence.filter((file) => file.role === role)
  if (files.length === 0) return html`<p class="muted">No ${role.replace('-', ' ')} is stored.</p>`
  return html`${files.map((file) => {
    const { state, bytes } = readEvidence(viewed, file)
    const warning = WARNINGS[state]
    return html`<h3><a href="${rawPath(viewed, file)}">${file.path}</a></h3>${warning === null ? null : html`<p class="${state === 'changed' ? 'fail' : 'muted'}">${warning}</p>`}${state === 'missing' ? null : draw(bytes.toString('utf8'))}`
  })}`
}

function rawPath({ episode }: ViewedEpisode, file: EvidenceFile): string {
  return `/episodes/${encodeURIComponent(episode.episodeId)}/files/${episode.evidence.indexOf(file)}`
}

function preformatted(text: string): Markup {
  return html`<pre>${text}</pre>`
}

function diffLines(text: string): Markup {
  const lines = text.split('\n').map((line) => {
    const kind = line.startsWith('+') ? 'add' : line.startsWith('-') ? 'del' : null
    return kind === null ? html`${line}\n` : html`<span class="${kind}">${line}</span>\n`
  })
  return html`<pre>${lines}</pre>`
}

function transcript(viewed: ViewedEpisode): Markup {
  const file = viewed.episode.evidence.find(({ role }) => role === 'transcript')
  if (!file) return html`<p class="muted">No transcript is stored: no gateway saw a model.</p>`
  const { state, bytes } = readEvidence(viewed, file)
  const read = state === 'missing' ? null : parseTranscript(bytes.toString('utf8'))
  if (!read) return shown(viewed, 'transcript', preformatted)
  const warning = WARNINGS[state]
  return html`${warning === null ? null : html`<p class="${state === 'changed' ? 'fail' : 'muted'}">${warning}</p>`}
<p class="muted">${countOf(read.steps.length, 'step')}, ${read.head.model ?? 'unknown model'} by ${read.head.provider}</p>${read.steps.map(step)}`
}

function step({
  index,
  atMs,
  role,
  text,
  reasoning,
  toolCalls,
  toolResult,
  changes,
}: TranscriptStep): Markup {
  const calls = toolCalls.map(
    (call) => html`<p><code>${call.name}</code></p><pre>${call.arguments}</pre>`,
  )
  const files = (changes?.files ?? []).map(({ path, kind }) => `${kind} ${path}`).join(', ')
  return html`<details${role === 'assistant' ? html` open` : null}><summary>${index} · ${role} · ${formatSpan(atMs)}</summary>
${reasoning === null ? null : html`<pre class="muted">${reasoning}</pre>`}${text === null ? null : html`<pre>${text}</pre>`}${calls}${toolResult === null ? null : html`<pre>${toolResult.text}</pre>`}${files === '' ? null : html`<p class="muted">${files}</p>`}</details>`
}

function fileTable(viewed: ViewedEpisode): Markup {
  const lines = viewed.episode.evidence.map((file) => [
    html`<a href="${rawPath(viewed, file)}">${file.path}</a>`,
    file.role,
    `${file.sizeBytes} B`,
    html`<code>${file.digest}</code>`,
    readEvidence(viewed, file).state === 'changed' ? html`<span class="fail">changed</span>` : null,
  ])
  return table([['File', 'Role', 'Size', 'Digest', ''], ...lines])
}
