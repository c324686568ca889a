const application = new URLSearchParams(location.search).get('application')

// The end counts as read when it can be seen.
const seen = new IntersectionObserver((entries) => {
  if (entries.some(({ isIntersecting }) => isIntersecting))
    document.getElementById('accept').disabled = false
})
seen.observe(document.getElementById('end'))

document.addEventListener('click', ({ target }) => {
  if (target.id === 'to-end') document.getElementById('end').scrollIntoView()
})

document.addEventListener('change', async ({ target }) => {
  if (target.id !== 'accept') return
  const accepted = target.checked
  const headers = { 'content-type': 'application/json' }
  const body = JSON.stringify({ accepted })
  const sent = fetch(`/applications/${application}/terms`, { method: 'PUT', headers, body })
  const isKept = await sent.then(({ ok }) => ok).catch(() => false)
  const box = document.getElementById('accept')
  if (!isKept) box.checked = !accepted
  parent.postMessage({ kind: 'terms', accepted: box.checked }, location.origin)
})
