'use client'

import { Check, Copy } from 'lucide-react'
import { useState } from 'react'
import { Button } from './button.tsx'

type CopyButtonProps = { text: string; label: string }

/** Copies a text and says so; says too when the browser refuses. */
export function CopyButton({ text, label }: CopyButtonProps) {
  const [state, setState] = useState<'idle' | 'copied' | 'refused'>('idle')
  const copy = async () => {
    const copied = await writeClipboard(text)
    setState(copied ? 'copied' : 'refused')
    setTimeout(() => setState('idle'), 2000)
  }
  const word = { idle: label, copied: 'Copied', refused: 'Not allowed: copy by hand' }[state]
  return (
    <Button onClick={() => void copy()}>
      {state === 'copied' ? <Check aria-hidden size={14} /> : <Copy aria-hidden size={14} />}
      <span aria-live="polite">{word}</span>
    </Button>
  )
}

async function writeClipboard(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text)
    return true
  } catch {
    return false
  }
}
