"use client";
import { usePathname, useRouter } from "next/navigation";
import { type RefObject, useEffect, useRef } from "react";

/** Whether what asks is still on the page: what it sent may be answered long after, where the connection was lost. */
export function useMounted(): RefObject<boolean> {
  const isMounted = useRef(false);
  useEffect(() => {
    isMounted.current = true;
    return () => {
      isMounted.current = false;
    };
  }, []);
  return isMounted;
}

/** Closes the dialog that asks, and not one that was opened after it: an answer may come when it is closed already. */
export function useClosing(onClose: () => void): () => void {
  const isMounted = useMounted();
  return () => {
    if (isMounted.current) onClose();
  };
}

/**
 * Leads on from the page that asks, as long as it is open: who has left it is at something else. What asks may be gone by
 * then, with what was done.
 */
export function useLeading(): (href: string) => void {
  const router = useRouter();
  const page = usePathname();
  return (href) => {
    if (window.location.pathname === page) router.push(href);
  };
}
