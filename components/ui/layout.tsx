import type { ReactNode } from 'react'
import type { ShownOnce } from '#lib/domain/api/index.ts'
import { classNames } from './class-names.ts'
import { CopyButton } from './controls.tsx'
import { shortDigest } from './format.ts'

type PageHeadingProps = { title: ReactNode; trail?: ReactNode; children?: ReactNode }

/** Page title with an optional breadcrumb above and one line below. */
export function PageHeading({ title, trail, children }: PageHeadingProps) {
  return (
    <header className="mb-5">
      {trail ? (
        <nav aria-label="Breadcrumb" className="untrusted mb-1 text-muted">
          {trail}
        </nav>
      ) : null}
      <h1 className="untrusted text-balance font-semibold text-xl tracking-tight">{title}</h1>
      {children ? (
        <div className="untrusted mt-1 max-w-3xl text-base text-muted">{children}</div>
      ) : null}
    </header>
  )
}

type SectionProps = { id: string; title: string; aside?: ReactNode; children: ReactNode }

/** A titled section with an anchor. */
export function Section({ id, title, aside, children }: SectionProps) {
  return (
    <section aria-labelledby={`${id}-title`} className="mt-8" id={id}>
      <div className="mb-2 flex flex-wrap items-baseline justify-between gap-x-4 gap-y-1">
        <h2 className="font-semibold text-base" id={`${id}-title`}>
          {title}
        </h2>
        {aside ? <div className="text-muted">{aside}</div> : null}
      </div>
      {children}
    </section>
  )
}

type ContentsEntry = { id: string; title: string; parts?: readonly { id: string; title: string }[] }

/** A long page next to its table of contents, which stays in view; on a narrow screen the table is above. */
export function WithContents({
  entries,
  children,
}: {
  entries: readonly ContentsEntry[]
  children: ReactNode
}) {
  return (
    <div className="gap-x-12 lg:grid lg:grid-cols-[13rem_minmax(0,1fr)]">
      <nav
        aria-label="Contents"
        className="lg:sticky lg:top-6 lg:max-h-[calc(100vh-3rem)] lg:self-start lg:overflow-y-auto"
      >
        <ol className="columns-2 gap-x-4 lg:columns-1">
          {entries.map(({ id, title, parts = [] }) => (
            <li className="break-inside-avoid" key={id}>
              <ContentsLink id={id} title={title} />
              {parts.length > 0 ? (
                <ol className="hidden border-line border-l pl-3 text-xs lg:block">
                  {parts.map((part) => (
                    <li key={part.id}>
                      <ContentsLink id={part.id} title={part.title} />
                    </li>
                  ))}
                </ol>
              ) : null}
            </li>
          ))}
        </ol>
      </nav>
      <div className="min-w-0 lg:-mt-8">{children}</div>
    </div>
  )
}

function ContentsLink({ id, title }: { id: string; title: string }) {
  return (
    <a className="block py-1 text-muted hover:text-ink hover:underline" href={`#${id}`}>
      {title}
    </a>
  )
}

export type Fact = { name: string; value: ReactNode; title?: string }

/** Names and values in two columns, hairlines between. */
export function FactList({ facts }: { facts: readonly Fact[] }) {
  return (
    <dl className="grid content-start self-start grid-cols-[minmax(7rem,max-content)_minmax(0,1fr)] border-line border-b">
      {facts.map(({ name, value, title }) => (
        <div
          className="col-span-2 grid grid-cols-subgrid gap-x-5 border-line border-t py-1.5"
          key={name}
        >
          <dt className="text-muted">{name}</dt>
          <dd className="untrusted" title={title}>
            {value}
          </dd>
        </div>
      ))}
    </dl>
  )
}

/** The first 12 hex digits; the tooltip shows the full digest. */
export function ShortDigest({ digest }: { digest: string }) {
  return (
    <code className="text-xs" title={digest}>
      {shortDigest(digest)}
    </code>
  )
}

/** Shell commands with a button that copies them. */
export function CommandLines({
  lines,
  label = 'Copy command',
}: {
  lines: readonly string[]
  label?: string
}) {
  return (
    <div className="flex flex-wrap items-start gap-2 rounded border border-line bg-sunken p-2">
      <pre className="untrusted min-w-0 flex-1 basis-64 whitespace-pre-wrap px-1 py-1.5 text-ink text-xs">
        <CommandWords text={lines.join('\n')} />
      </pre>
      <CopyButton label={label} text={lines.join('\n')} />
    </div>
  )
}

/** A command wraps between words, and inside a word only if it is longer than the line. */
function CommandWords({ text }: { text: string }) {
  return text.split(/(\s+)/).map((part, index) =>
    part.trim() === '' ? (
      part
    ) : (
      // biome-ignore lint/suspicious/noArrayIndexKey: the words of a command never change their order.
      <span className="inline-block max-w-full" key={index}>
        {part}
      </span>
    ),
  )
}

/** A secret that is shown only once. */
export function OnceBox({ label, text }: ShownOnce) {
  return (
    <div className="space-y-2 rounded border border-line-strong bg-surface p-3">
      <p className="font-medium">{label}</p>
      <code className="block select-all break-all">{text}</code>
      <CopyButton label="Copy" text={text} />
    </div>
  )
}

/** Confirmation before an action: opens its explanation and its button. Works without JavaScript. */
export function Disclosure({
  word,
  label,
  tone,
  children,
}: {
  word: string
  label?: string
  /** Red, because it leads to a destructive action. */
  tone?: 'danger'
  children: ReactNode
}) {
  return (
    <details className="min-w-0">
      <summary
        aria-label={label}
        className={classNames(
          'inline-flex h-8 cursor-pointer list-none items-center rounded border bg-surface px-2.5 text-sm',
          tone === 'danger'
            ? 'border-bad font-medium text-bad hover:bg-bad-soft'
            : 'border-line hover:border-line-strong',
        )}
      >
        {word}
      </summary>
      <div className="mt-2 max-w-md space-y-2 rounded border border-line bg-surface px-3 py-2">
        {children}
      </div>
    </details>
  )
}

type ProgressBarProps = { done: number; total: number; label: string }

/** Progress of a known total; the numbers are shown next to it as text. */
export function ProgressBar({ done, total, label }: ProgressBarProps) {
  return (
    <progress
      aria-label={label}
      className="h-1.5 w-full appearance-none overflow-hidden rounded-full bg-sunken [&::-moz-progress-bar]:bg-accent [&::-webkit-progress-bar]:bg-sunken [&::-webkit-progress-value]:bg-accent motion-safe:[&::-webkit-progress-value]:transition-[width]"
      max={Math.max(total, 1)}
      value={done}
    />
  )
}

type PagerProps = { page: number; pages: number; hrefOf: (page: number) => string }

/** Links to newer and older pages; renders nothing for a single page. */
export function Pager({ page, pages, hrefOf }: PagerProps) {
  if (pages < 2) return null
  return (
    <nav aria-label="Pages" className="mt-3 flex items-center gap-4">
      {page > 1 ? (
        <a className="link" href={hrefOf(page - 1)} rel="prev">
          Newer
        </a>
      ) : null}
      <span className="text-muted">
        Page {page} of {pages}
      </span>
      {page < pages ? (
        <a className="link" href={hrefOf(page + 1)} rel="next">
          Older
        </a>
      ) : null}
    </nav>
  )
}
