// Takes the page's blocks out and puts them back one after the other over two seconds; modules run when all are there.
;(() => {
  const FOR_MS = 2000
  const FEWEST_BLOCKS = 12

  const size = (element) => element.querySelectorAll('*').length
  const canOpen = (element) =>
    element.children.length > 1 && !/^(SELECT|SVG|TABLE|IFRAME|P)$/i.test(element.tagName)

  const blocks = [...document.body.children].filter(({ tagName }) => tagName !== 'SCRIPT')
  while (blocks.length < FEWEST_BLOCKS) {
    const [largest] = blocks.filter(canOpen).sort((a, b) => size(b) - size(a))
    if (!largest) break
    blocks.splice(blocks.indexOf(largest), 1, ...largest.children)
  }

  const waiting = blocks.map((block) => {
    const place = document.createComment('')
    block.replaceWith(place)
    return { block, place }
  })
  const timer = setInterval(
    () => {
      const next = waiting.shift()
      if (next) return next.place.replaceWith(next.block)
      clearInterval(timer)
      for (const later of document.querySelectorAll('script[type="text/later"]')) {
        const module = document.createElement('script')
        module.type = 'module'
        if (later.src) module.src = later.src
        else module.textContent = later.textContent
        later.replaceWith(module)
      }
    },
    FOR_MS / (waiting.length + 1),
  )
})()
