/** msgpackr, which BullMQ packs script arguments with, looks for a native addon unless it is told not to: imported before BullMQ. */
process.env['MSGPACKR_NATIVE_ACCELERATION_DISABLED'] = 'true';
