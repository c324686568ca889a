import { downloadBlob } from '../download.ts'
import { announce } from './announce.ts'

/** Draws a button's chart (`data-png`, an SVG file) as an image of twice its size and hands it to the browser. */
export async function savePng(button: HTMLElement): Promise<void> {
  const { png = '', name = 'chart.png' } = button.dataset
  const blob = await drawPng(png).catch(() => null)
  if (blob) downloadBlob(name, blob)
  else announce(button, 'PNG failed. Try again.')
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
