'use client'

import { type DragEvent, type FormEvent, useRef, useState } from 'react'
import { SCOPES, type Scope } from '#lib/domain/accounts/index.ts'
import type { FormAction } from '#lib/domain/api/index.ts'
import { Button } from '../ui/button.tsx'
import { classNames } from '../ui/class-names.ts'
import { SelectField, TextField, useProblem } from '../ui/fields.tsx'
import { ActionForm, NewPasswordField } from '../ui/form.tsx'
import { formatSize, visibleText } from '../ui/format.ts'
import { ProgressBar } from '../ui/layout.tsx'
import { useSending } from './send-files.ts'

type SetupFormProps = {
  action: FormAction
  token: string
  /** The account whose password is set; null = creates the first account. */
  email: string | null
}

/** The form behind a one-time link. */
export function SetupForm({ action, token, email }: SetupFormProps) {
  const [typed, setTyped] = useState(email ?? '')
  return (
    <ActionForm action={action} submit={email ? 'Set password' : 'Create account'} tone="primary">
      <input name="token" type="hidden" value={token} />
      {email ? (
        // Password managers save the password under this name.
        <input autoComplete="username" hidden name="shown" readOnly value={email} />
      ) : (
        <>
          <TextField
            autoComplete="username"
            label="E-mail"
            name="email"
            onChange={(event) => setTyped(event.target.value)}
            required
            type="email"
          />
          <TextField autoComplete="name" label="Name" maxLength={80} name="name" required />
        </>
      )}
      <NewPasswordField email={typed} label="Password" />
    </ActionForm>
  )
}

const DAYS = [
  { value: '90', text: '90 days' },
  { value: '7', text: '7 days' },
  { value: '30', text: '30 days' },
  { value: '365', text: '1 year' },
  { value: 'never', text: 'Never' },
]

const MEANING: Record<Scope, string> = {
  'results:write': 'Upload results',
  'runs:write': 'Start, cancel and resume runs',
  'admin:read': 'Read the administration pages',
}

/** Creates an API token. */
export function TokenForm({ action }: { action: FormAction }) {
  return (
    <ActionForm action={action} submit="Create token" tone="primary">
      <div className="grid gap-x-4 gap-y-3 sm:grid-cols-3">
        <TextField
          hint="What the token is for, for example nightly CI."
          label="Name"
          maxLength={80}
          name="name"
          required
        />
        <SelectField label="Expires after" name="days" options={DAYS} />
        <Scopes />
      </div>
    </ActionForm>
  )
}

function Scopes() {
  const problem = useProblem('scopes')
  return (
    <fieldset>
      <legend className="mb-1 text-muted text-xs">Permissions</legend>
      {SCOPES.map((scope) => (
        <label className="flex min-h-6 items-center gap-2" key={scope}>
          <input name="scopes" type="checkbox" value={scope} />
          <span>
            {MEANING[scope]} <code className="text-muted text-xs">{scope}</code>
          </span>
        </label>
      ))}
      {problem ? <p className="mt-1 text-bad text-xs">{problem}</p> : null}
    </fieldset>
  )
}

/** Allows the workflows of one repository to upload results. */
export function OidcRuleForm({ action }: { action: FormAction }) {
  return (
    <ActionForm action={action} submit="Allow workflow">
      <div className="grid gap-x-4 gap-y-3 sm:grid-cols-2">
        <TextField
          hint="gh api repos/OWNER/NAME --jq .id"
          inputMode="numeric"
          label="Repository ID"
          maxLength={20}
          name="repositoryId"
          required
        />
        <TextField
          hint="gh api repos/OWNER/NAME --jq .owner.id"
          inputMode="numeric"
          label="Owner ID"
          maxLength={20}
          name="repositoryOwnerId"
          required
        />
        <TextField
          defaultValue="refs/heads/main"
          hint="* matches anything except a slash, ** matches anything."
          label="Ref"
          maxLength={300}
          name="ref"
          required
        />
        <TextField
          hint="For example .github/workflows/benchmark.yml. Leave empty for any."
          label="Workflow"
          maxLength={300}
          name="workflow"
        />
      </div>
    </ActionForm>
  )
}

/** `limit`: `maxBytes` as text. */
type UploadDropProps = { action: string; maxBytes: number; limit: string }

/** An upload form that also accepts dropped files; it works without scripts, which add progress and a way to stop. */
export function UploadDrop({ action, maxBytes, limit }: UploadDropProps) {
  const form = useRef<HTMLFormElement>(null)
  const input = useRef<HTMLInputElement>(null)
  const { share, send, stop } = useSending(action)
  const [isOver, setOver] = useState(false)
  const [problem, setProblem] = useState<string | null>(null)
  const [chosen, setChosen] = useState<readonly File[]>([])
  const check = () => {
    const files = [...(input.current?.files ?? [])]
    setChosen(files)
    const large = files.filter(({ size }) => size > maxBytes)
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
  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const sent = check() ? await send(new FormData(event.currentTarget)) : null
    if (sent?.kind === 'sent') window.location.assign(sent.page)
    if (sent?.kind === 'refused') setProblem(sent.message)
    // The stop button is gone.
    if (sent?.kind === 'stopped') input.current?.focus()
  }
  return (
    <form
      action={action}
      className={classNames(
        'rounded-lg border border-dashed px-5 py-6',
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
      onSubmit={submit}
      ref={form}
    >
      <label className="block font-medium text-base" htmlFor="upload-files">
        Result files: drop them here or choose them
      </label>
      <p className="mt-1 mb-3 text-muted" id="upload-hint">
        result.json, episode.json, JSON Lines, or a zip or tar.gz of run folders with their
        evidence. Also accepted: ts-bench results, Inspect JSON logs, Harbor job folders, JUnit and
        CTRF. Values missing from a file stay unknown. Files may be gzipped, up to {limit} each.
      </p>
      <ReportedFields />
      <div className="flex flex-wrap items-center gap-3">
        <input
          aria-describedby="upload-hint"
          className="min-w-0 max-w-full text-muted file:mr-3 file:h-8 file:cursor-pointer file:rounded file:border file:border-line-strong file:border-solid file:bg-surface file:px-2.5 file:text-ink hover:file:border-accent"
          id="upload-files"
          multiple
          name="files"
          onChange={check}
          ref={input}
          required
          type="file"
        />
        <Button aria-disabled={share !== null} tone="primary" type="submit">
          Validate
        </Button>
        {share === null ? null : <Button onClick={stop}>Stop the upload</Button>}
      </div>
      <UploadProgress share={share} />
      {chosen.length > 0 ? (
        <ul aria-label="Chosen files" className="mt-3 space-y-0.5">
          {chosen.map(({ name, size }) => (
            <li className="untrusted" key={name}>
              {visibleText(name)} <span className="text-muted">{formatSize(size)}</span>
            </li>
          ))}
        </ul>
      ) : null}
      {problem ? (
        <p className="untrusted mt-2 text-bad" role="alert">
          {visibleText(problem)}
        </p>
      ) : null}
    </form>
  )
}

function UploadProgress({ share }: { share: number | null }) {
  return (
    <div className="mt-2 max-w-md text-muted">
      <p role="status">
        {share === null ? null : share < 1 ? 'Uploading…' : 'Uploaded. Validating…'}
      </p>
      {share === null ? null : (
        <ProgressBar done={Math.round(100 * share)} label="Uploaded, per cent" total={100} />
      )}
    </div>
  )
}

const REPORTED_FIELDS = [
  ['subject', 'Agent or library', 'claude-code'],
  ['subjectVersion', 'Version', '2.1.0'],
  ['model', 'Model', 'claude-opus-4-6'],
  ['provider', 'Provider', 'anthropic'],
  ['suite', 'Suite', 'my-exercises'],
  ['suiteVersion', 'Suite version', '1.0'],
  ['scorer', 'Scorer', 'if samples or trials have several'],
] as const

const REPORTED_TASKS = [
  { value: 'cases', text: 'One per test case' },
  { value: 'suites', text: 'One per test suite' },
]

/**
 * Facts that a test report does not contain. These fields precede the files, because each file is validated as it
 * arrives.
 */
function ReportedFields() {
  return (
    <details className="mb-4">
      <summary className="cursor-pointer text-muted">
        JUnit and CTRF: name the agent and the suite
      </summary>
      <div className="mt-3 grid gap-3 sm:grid-cols-2 lg:grid-cols-4">
        {REPORTED_FIELDS.map(([name, label, example]) => (
          <TextField key={name} label={label} maxLength={80} name={name} placeholder={example} />
        ))}
        <SelectField label="Tasks" name="tasks" options={REPORTED_TASKS} />
      </div>
    </details>
  )
}
