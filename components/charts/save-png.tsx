'use client'

import { useState } from 'react'
import { downloadBlob } from '../ui/download.ts'

type SavePngProps = { href: string; name: string }

/** Draws a chart's file as an image of twice its size and hands it to the browser. */
export function SavePng({ href, name }: SavePngProps) {
  const [failed, setFailed] = useState(false)
  const save = async () => {
    const blob = await drawPng(href).catch(() => null)
    setFailed(blob === null)
    if (blob) downloadBlob(name, blob)
  }
  return (
    <button className="link" onClick={() => void save()} type="button">
      {failed ? 'PNG failed. Try again.' : 'PNG'}
    </button>
  )
}

const SCALE = 2

async function drawPng(href: string): Promise<Blob | null> {
  const response = await fetch(href)
  if (!response.ok) return null
  const image = new Image()
  image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(await response.text())}`
  await image.decode()
  const canvas = document.createElement('canvas')
  canvas.width = image.naturalWidth * SCALE
  canvas.height = image.naturalHeight * SCALE
  canvas.getContext('2d')?.drawImage(image, 0, 0, canvas.width, canvas.height)
  return new Promise((resolve) => canvas.toBlob(resolve, 'image/png'))
}
