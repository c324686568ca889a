import type { ReactNode } from 'react'
import { Button } from './button.tsx'

export type ExampleName = 'simulated' | 'ts-bench'

const WORDS: Record<ExampleName, { title: string; text: ReactNode }> = {
  simulated: {
    title: 'Simulated example board.',
    text: 'Every agent, library, run and number here is made up. Nothing was measured.',
  },
  'ts-bench': {
    title: 'Example: results published by ts-bench.',
    text: (
      <>
        Reported by{' '}
        <a className="underline" href="https://github.com/laiso/ts-bench">
          laiso/ts-bench
        </a>{' '}
        (MIT), not verified here and not ranked.
      </>
    ),
  },
}

/** Shown on every page of an example board: what it is, and the way out. */
export function ExampleBanner({ example }: { example: ExampleName }) {
  const { title, text } = WORDS[example]
  return (
    <aside
      aria-label="Example board"
      className="border-warn border-b-2 bg-warn-soft text-warn"
      data-example={example}
    >
      <div className="mx-auto flex max-w-7xl flex-wrap items-center gap-x-4 gap-y-2 px-4 py-2">
        <p className="min-w-0 flex-1 basis-72">
          <strong>{title}</strong> {text} None of it is part of your board, its ledger, API or
          exports.
        </p>
        <ExampleForm example={example} what="leave">
          <Button type="submit">Back to your board</Button>
        </ExampleForm>
        <ExampleForm example={example} what="remove">
          <Button tone="danger" type="submit">
            Remove the example
          </Button>
        </ExampleForm>
      </div>
    </aside>
  )
}

type ExampleFormProps = {
  example: ExampleName
  what: 'show' | 'leave' | 'remove'
  children: ReactNode
}

/** A plain form: the response reloads the whole page, with another board. */
export function ExampleForm({ example, what, children }: ExampleFormProps) {
  return (
    <form action="/api/admin/example" method="post">
      <input name="example" type="hidden" value={example} />
      <input name="do" type="hidden" value={what} />
      {children}
    </form>
  )
}

type OffersProps = { isAdmin: boolean; title?: string }

/** The examples and a button for each; `isAdmin` false = only who may is said. */
export function ExampleOffers({ isAdmin, title = 'Or look at a full board first' }: OffersProps) {
  return (
    <div className="mt-4 border-line border-t pt-3">
      <h3 className="font-medium">{title}</h3>
      <p className="mt-1 max-w-3xl text-muted">
        An example uses a separate database, is labelled on every page, and can be removed with one
        click.
      </p>
      {isAdmin ? (
        <div className="mt-2 flex flex-wrap gap-2">
          <ExampleForm example="simulated" what="show">
            <Button type="submit">Show a simulated example board</Button>
          </ExampleForm>
          <ExampleForm example="ts-bench" what="show">
            <Button type="submit">Load ts-bench’s published results</Button>
          </ExampleForm>
        </div>
      ) : (
        <p className="mt-1 text-muted">
          <a className="link" href="/sign-in?next=/">
            Sign in
          </a>{' '}
          as an administrator to show one.
        </p>
      )}
    </div>
  )
}
