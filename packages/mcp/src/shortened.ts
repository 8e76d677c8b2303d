/** A text of others, short enough for a sentence of ours, with how much of it was cut. */
export function shortened(text: string, mostCharacters: number): string {
  if (text.length <= mostCharacters) return text;
  const end = /[\ud800-\udbff]/.test(text.charAt(mostCharacters - 1))
    ? mostCharacters - 1
    : mostCharacters;
  return `${text.slice(0, end)}… (${text.length - end} more characters)`;
}
