export { type MarkdownBlock, type MarkdownSpan, parseMarkdown } from './parse-markdown.ts'
