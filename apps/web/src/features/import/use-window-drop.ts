import { useEffect, useRef, useState } from 'react';
import { takesText } from '../../ui/key-combo.ts';

/**
 * Takes files dropped anywhere in the window, and files or text pasted while no text field has
 * focus. Gives whether files hover now.
 */
export function useWindowDrop(handlers: {
  onDrop: (transfer: DataTransfer) => void;
  /** Absent = pastes are left alone. */
  onPaste?: (clipboard: DataTransfer) => void;
  enabled?: boolean;
}): boolean {
  const [hovering, setHovering] = useState(false);
  const current = useRef(handlers);
  useEffect(() => {
    current.current = handlers;
  });
  const enabled = handlers.enabled ?? true;
  useEffect(() => {
    if (!enabled) return;
    const hasFiles = (event: DragEvent) => event.dataTransfer?.types.includes('Files') ?? false;
    const over = (event: DragEvent) => {
      if (!hasFiles(event)) return;
      event.preventDefault();
      if (event.dataTransfer !== null) event.dataTransfer.dropEffect = 'copy';
      setHovering(true);
    };
    const leave = (event: DragEvent) => {
      // Leaving the window, not one element for another.
      if (event.relatedTarget === null) setHovering(false);
    };
    const drop = (event: DragEvent) => {
      if (!hasFiles(event) || event.dataTransfer === null) return;
      event.preventDefault();
      setHovering(false);
      current.current.onDrop(event.dataTransfer);
    };
    const paste = (event: ClipboardEvent) => {
      const { onPaste } = current.current;
      if (onPaste === undefined || takesText(event.target) || event.clipboardData === null) return;
      event.preventDefault();
      onPaste(event.clipboardData);
    };
    window.addEventListener('dragover', over);
    window.addEventListener('dragleave', leave);
    window.addEventListener('drop', drop);
    window.addEventListener('paste', paste);
    return () => {
      window.removeEventListener('dragover', over);
      window.removeEventListener('dragleave', leave);
      window.removeEventListener('drop', drop);
      window.removeEventListener('paste', paste);
    };
  }, [enabled]);
  return hovering;
}
