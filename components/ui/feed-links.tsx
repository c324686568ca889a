type FeedLinksProps = {
  /** Filter of the feeds: `agent=claude`. */
  query?: string
  /** Subject of the feeds, in their titles. */
  about?: string
}

const FORMATS = [
  ['xml', 'application/atom+xml', 'Atom'],
  ['json', 'application/feed+json', 'JSON Feed'],
] as const

/** Links for browsers and feed readers to the feeds of a page. */
export function FeedLinks({ query, about }: FeedLinksProps) {
  return FORMATS.map(([format, type, name]) => (
    <link
      href={`/feed.${format}${query ? `?${query}` : ''}`}
      key={format}
      rel="alternate"
      title={`Proofboard${about ? ` · ${about}` : ''}: changes and ledger (${name})`}
      type={type}
    />
  ))
}

/** Link to the feed of one agent. */
export function FeedLink({ agent }: { agent: string }) {
  return (
    <>
      {' · '}
      <a className="link" href={`/feed.xml?${new URLSearchParams({ agent })}`}>
        Feed
      </a>
    </>
  )
}
