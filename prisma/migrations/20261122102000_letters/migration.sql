-- CreateTable
CREATE TABLE "letters" (
    "id" UUID NOT NULL,
    "task" TEXT NOT NULL,
    "sealed" BYTEA NOT NULL,

    CONSTRAINT "letters_pkey" PRIMARY KEY ("id")
);
