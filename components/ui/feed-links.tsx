type FeedLinksProps = {
  /** What the feeds are narrowed to: `agent=claude`. */
  query?: string
  /** Their subject, in their titles. */
  about?: string
}

const FORMATS = [
  ['xml', 'application/atom+xml', 'Atom'],
  ['json', 'application/feed+json', 'JSON Feed'],
] as const

/** Lets a browser and a feed reader find the feeds of a page. */
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

/** Leads to the feed of one agent, behind other facts of a line. */
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
