import { Skeleton, SkeletonRows } from "#components/ui/states.tsx";

export default function Loading() {
  return (
    <div className="py-6">
      <div className="mb-6 px-4 md:px-6">
        <Skeleton className="h-6 w-48" />
      </div>
      <SkeletonRows label="Loading the page" rows={10} />
    </div>
  );
}
