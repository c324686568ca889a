-- AlterTable
ALTER TABLE "Worker" ADD COLUMN     "hostId" TEXT COLLATE "C";


