/** A moment of this machine's clock: the time of day, and the whole of it in the title. */
export function AtTime(props: { iso: string }) {
  const at = new Date(props.iso);
  const two = (part: number) => String(part).padStart(2, '0');
  return (
    <time dateTime={props.iso} title={props.iso}>
      {`${two(at.getHours())}:${two(at.getMinutes())}:${two(at.getSeconds())}`}
    </time>
  );
}
