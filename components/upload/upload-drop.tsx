'use client'

import { type DragEvent, useEffect, useRef, useState } from 'react'
import { formatBytes } from '#components/format/number.ts'
import { Button } from '#components/ui/button.tsx'
import { classNames } from '#components/ui/class-names.ts'
import { ToldFields } from './told-fields.tsx'

type UploadDropProps = { action: string; mostBytes: number }

/** An upload form that also accepts dropped files; it works without scripts. */
export function UploadDrop({ action, mostBytes }: UploadDropProps) {
  const form = useRef<HTMLFormElement>(null)
  const input = useRef<HTMLInputElement>(null)
  const [isOver, setOver] = useState(false)
  const [isSending, setSending] = useState(false)
  const [problem, setProblem] = useState<string | null>(null)
  useEffect(() => {
    // The browser may restore this page in the state in which it was left while sending.
    const wake = () => setSending(false)
    window.addEventListener('pageshow', wake)
    return () => window.removeEventListener('pageshow', wake)
  }, [])
  const check = () => {
    const large = [...(input.current?.files ?? [])].filter(({ size }) => size > mostBytes)
    setProblem(
      large.length > 0 ? `${large[0]?.name} is too large. Split it into smaller uploads.` : null,
    )
    return large.length === 0
  }
  const drop = (event: DragEvent) => {
    event.preventDefault()
    setOver(false)
    if (!input.current || event.dataTransfer.files.length === 0) return
    input.current.files = event.dataTransfer.files
    if (check()) form.current?.requestSubmit()
  }
  return (
    <form
      action={action}
      className={classNames(
        'rounded border border-dashed px-5 py-6',
        isOver ? 'border-accent bg-accent-soft' : 'border-line-strong bg-surface',
      )}
      encType="multipart/form-data"
      method="post"
      onDragLeave={() => setOver(false)}
      onDragOver={(event) => {
        event.preventDefault()
        setOver(true)
      }}
      onDrop={drop}
      onSubmit={(event) => {
        if (check()) setSending(true)
        else event.preventDefault()
      }}
      ref={form}
    >
      <label className="block" htmlFor="upload-files">
        Result files: drop them here or choose them
      </label>
      <p className="mt-1 mb-3 text-muted" id="upload-hint">
        result.json, episode.json, JSON Lines, or a zip or tar.gz of run folders with their
        evidence. Also accepted: ts-bench results, Inspect JSON logs, Harbor job folders, JUnit and
        CTRF. Values missing from a file stay unknown. Files may be gzipped, up to{' '}
        {formatBytes(mostBytes)} each.
      </p>
      <ToldFields />
      <div className="flex flex-wrap items-center gap-3">
        <input
          aria-describedby="upload-hint"
          className="min-w-0 max-w-full"
          id="upload-files"
          multiple
          name="files"
          onChange={check}
          ref={input}
          required
          type="file"
        />
        <Button disabled={isSending} type="submit">
          {isSending ? 'Uploading…' : 'Validate'}
        </Button>
      </div>
      {problem ? (
        <p className="untrusted mt-2 text-bad" role="alert">
          {problem}
        </p>
      ) : null}
    </form>
  )
}
