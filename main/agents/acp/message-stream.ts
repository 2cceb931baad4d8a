/**
 * Messages of the protocol over the pipes of a process, one JSON text a line. Some programs print a word of their own on the
 * same pipe: such a line is shown and left out, while a broken message is an error, since its answer would never come.
 */

import type { Readable, Writable } from 'node:stream'
import { StringDecoder } from 'node:string_decoder'
import type { AnyMessage, Stream } from '@agentclientprotocol/sdk'

/** A tool's output may be large; a line without an end must not fill the memory. */
const LONGEST_LINE_CHARS = 64 * 1024 * 1024

export class BrokenMessage extends Error {}

export function messageStream(stdin: Writable, stdout: Readable, onNoise: (line: string) => void): Stream {
  return { writable: messagesTo(stdin), readable: messagesFrom(stdout, onNoise) }
}

function messagesTo(stdin: Writable): Stream['writable'] {
  return new WritableStream<AnyMessage>({
    write: (message) =>
      new Promise((resolve, reject) => {
        stdin.write(`${JSON.stringify(message)}\n`, (error) => (error ? reject(error) : resolve()))
      }),
  })
}

function messagesFrom(stdout: Readable, onNoise: (line: string) => void): Stream['readable'] {
  const decoder = new StringDecoder('utf8')
  let unfinished = ''
  let isOver = false
  return new ReadableStream<AnyMessage>({
    start(controller) {
      const end = (error?: Error): void => {
        if (isOver) return
        isOver = true
        if (error === undefined) controller.close()
        else controller.error(error)
      }
      const line = (text: string): void => {
        const message = messageOf(text)
        if (message === 'noise') onNoise(text)
        else if (message === 'broken') end(new BrokenMessage(`It wrote a message that is no JSON: ${text.slice(0, 200)}`))
        else if (message !== null && !isOver) controller.enqueue(message)
      }
      stdout.on('data', (chunk: Buffer) => {
        const lines = (unfinished + decoder.write(chunk)).split('\n')
        unfinished = lines.pop() ?? ''
        for (const text of lines) line(text)
        if (unfinished.length > LONGEST_LINE_CHARS) end(new BrokenMessage('It wrote a message of more than 64 MB'))
      })
      stdout.once('end', () => {
        line(unfinished + decoder.end())
        end()
      })
      stdout.once('error', (error) => end(error))
      stdout.once('close', () => end())
    },
    cancel() {
      isOver = true
    },
  })
}

function messageOf(line: string): AnyMessage | 'noise' | 'broken' | null {
  const text = line.trim()
  if (text === '') return null
  if (!text.startsWith('{')) return 'noise'
  try {
    return JSON.parse(text) as AnyMessage
  } catch {
    return 'broken'
  }
}
