extension ATT {
  /// Filter fields of values of health devices.
  static let healthFilters: StaticString = """
    # Continuous glucose monitoring
    btatt.cgm_measurement.size u16 val/2aa7[0:1]
    btatt.cgm_measurement.flags x8 val/2aa7[1:1]
    btatt.cgm_measurement.flags.cgm_trend_information bool val/2aa7[1:1]&80
    btatt.cgm_measurement.flags.cgm_quality bool val/2aa7[1:1]&40
    btatt.cgm_measurement.flags.reserved x8 val/2aa7[1:1]&38
    btatt.cgm_measurement.flags.sensor_status_annunciation.warning bool val/2aa7[1:1]&4
    btatt.cgm_measurement.flags.sensor_status_annunciation.cal_temp bool val/2aa7[1:1]&2
    btatt.cgm_measurement.flags.sensor_status_annunciation.status bool val/2aa7[1:1]&1
    btatt.cgm_measurement.time_offset u16 val/2aa7[4:2]
    btatt.cgm.sensor_status_annunciation none val/2aa7?e0@1!00[6:*]
    btatt.cgm.sensor_status_annunciation.status x8 val/2aa7?80@1=80[6:1] val/2aa9?00@4=00[2:1]
    btatt.cgm.sensor_status_annunciation.status.reserved x8 val/2aa7?80@1=80[6:1]&c0 val/2aa9?00@4=00[2:1]&c0
    btatt.cgm.sensor_status_annunciation.status.general_device_fault_has_occurred_in_the_sensor bool val/2aa7?80@1=80[6:1]&20 val/2aa9?00@4=00[2:1]&20
    btatt.cgm.sensor_status_annunciation.status.device_specific_alert bool val/2aa7?80@1=80[6:1]&10 val/2aa9?00@4=00[2:1]&10
    btatt.cgm.sensor_status_annunciation.status.sensor_malfunction bool val/2aa7?80@1=80[6:1]&8 val/2aa9?00@4=00[2:1]&8
    btatt.cgm.sensor_status_annunciation.status.sensor_type_incorrect_for_device bool val/2aa7?80@1=80[6:1]&4 val/2aa9?00@4=00[2:1]&4
    btatt.cgm.sensor_status_annunciation.status.device_battery_low bool val/2aa7?80@1=80[6:1]&2 val/2aa9?00@4=00[2:1]&2
    btatt.cgm.sensor_status_annunciation.status.session_stopped bool val/2aa7?80@1=80[6:1]&1 val/2aa9?00@4=00[2:1]&1
    btatt.cgm.sensor_status_annunciation.cal_temp x8 val/2aa7?40@1=40[6+1?80@1:1] val/2aa9?00@4=00[3:1]
    btatt.cgm.sensor_status_annunciation.cal_temp.reserved x8 val/2aa7?40@1=40[6+1?80@1:1]&c0 val/2aa9?00@4=00[3:1]&c0
    btatt.cgm.sensor_status_annunciation.cal_temp.sensor_temperature_too_low_for_valid_test_result_at_time_of_measurement bool val/2aa7?40@1=40[6+1?80@1:1]&20 val/2aa9?00@4=00[3:1]&20
    btatt.cgm_measurement.sensor_cal_temp_annunciation.cal_temp.sensor_temperature_too_high_for_valid_test_result_at_time_of_measurement bool val/2aa7?40@1=40[6+1?80@1:1]&10 val/2aa9?00@4=00[3:1]&10
    btatt.cgm_measurement.sensor_cal_temp_annunciation.cal_temp.calibration_required bool val/2aa7?40@1=40[6+1?80@1:1]&8 val/2aa9?00@4=00[3:1]&8
    btatt.cgm_measurement.sensor_cal_temp_annunciation.cal_temp.calibration_recommended bool val/2aa7?40@1=40[6+1?80@1:1]&4 val/2aa9?00@4=00[3:1]&4
    btatt.cgm_measurement.sensor_cal_temp_annunciation.cal_temp.calibration_not_allowed bool val/2aa7?40@1=40[6+1?80@1:1]&2 val/2aa9?00@4=00[3:1]&2
    btatt.cgm_measurement.sensor_cal_temp_annunciation.cal_temp.time_synchronization_between_sensor_and_collector_required bool val/2aa7?40@1=40[6+1?80@1:1]&1 val/2aa9?00@4=00[3:1]&1
    btatt.cgm.sensor_status_annunciation.warning x8 val/2aa7?20@1=20[6+1?40@1+1?80@1:1] val/2aa9?00@4=00[4:1]
    btatt.cgm.sensor_status_annunciation.warning.sensor_result_higher_than_the_device_can_process bool val/2aa7?20@1=20[6+1?40@1+1?80@1:1]&80 val/2aa9?00@4=00[4:1]&80
    btatt.cgm_measurement.sensor_warning_annunciation.warning.sensor_result_lower_than_the_device_can_process bool val/2aa7?20@1=20[6+1?40@1+1?80@1:1]&40 val/2aa9?00@4=00[4:1]&40
    btatt.cgm_measurement.sensor_warning_annunciation.warning.sensor_rate_of_increase_exceeded bool val/2aa7?20@1=20[6+1?40@1+1?80@1:1]&20 val/2aa9?00@4=00[4:1]&20
    btatt.cgm_measurement.sensor_warning_annunciation.warning.sensor_rate_of_decrease_exceeded bool val/2aa7?20@1=20[6+1?40@1+1?80@1:1]&10 val/2aa9?00@4=00[4:1]&10
    btatt.cgm_measurement.sensor_warning_annunciation.warning.sensor_result_higher_than_the_hyper_level bool val/2aa7?20@1=20[6+1?40@1+1?80@1:1]&8 val/2aa9?00@4=00[4:1]&8
    btatt.cgm_measurement.sensor_warning_annunciation.warning.sensor_result_lower_than_the_hypo_level bool val/2aa7?20@1=20[6+1?40@1+1?80@1:1]&4 val/2aa9?00@4=00[4:1]&4
    btatt.cgm_measurement.sensor_warning_annunciation.warning.sensor_result_higher_than_the_patient_high_level bool val/2aa7?20@1=20[6+1?40@1+1?80@1:1]&2 val/2aa9?00@4=00[4:1]&2
    btatt.cgm_measurement.sensor_warning_annunciation.warning.sensor_result_lower_than_the_patient_low_level bool val/2aa7?20@1=20[6+1?40@1+1?80@1:1]&1 val/2aa9?00@4=00[4:1]&1
    btatt.cgm.e2e_crc x16 val/2aa7[6+2?01@1+2?02@1+1?20@1+1?40@1+1?80@1:2] val/2aa8[4:2] val/2aa9[5:2] val/2aaa[9:2] val/2aab[2:2] val/2aac?ff!1c[1+1?ff=01+10?ff=04+2?ff=05+2?ff=07+2?ff=0a+2?ff=0d+2?ff=10+2?ff=13+2?ff=16:2] val/2aac?ff=1c?ff@1=03[4:2] val/2aac?ff=1c?ff@1=06[13:2] val/2aac?ff=1c?ff@1=09[5:2] val/2aac?ff=1c?ff@1=0c[5:2] val/2aac?ff=1c?ff@1=0f[5:2] val/2aac?ff=1c?ff@1=12[5:2] val/2aac?ff=1c?ff@1=15[5:2] val/2aac?ff=1c?ff@1=18[5:2] val/2aac?ff=1c?ff@1!03?ff@1!06?ff@1!09?ff@1!0c?ff@1!0f?ff@1!12?ff@1!15?ff@1!18[3:2]
    btatt.cgm_feature.feature x24 val/2aa8[0:3]
    btatt.cgm_feature.feature.reserved x24 val/2aa8[0:3]&fe0000
    btatt.cgm_feature.feature.quality bool val/2aa8[0:3]&10000
    btatt.cgm_feature.feature.trend_information bool val/2aa8[0:3]&8000
    btatt.cgm_feature.feature.multiple_sessions bool val/2aa8[0:3]&4000
    btatt.cgm_feature.feature.multiple_bond bool val/2aa8[0:3]&2000
    btatt.cgm_feature.feature.e2e_crc bool val/2aa8[0:3]&1000
    btatt.cgm_feature.feature.general_device_fault bool val/2aa8[0:3]&800
    btatt.cgm_feature.feature.sensor_type_error_detection bool val/2aa8[0:3]&400
    btatt.cgm_feature.feature.low_battery_detection bool val/2aa8[0:3]&200
    btatt.cgm_feature.feature.sensor_result_high_low_detection bool val/2aa8[0:3]&100
    btatt.cgm_feature.feature.sensor_temperature_high_low_detection bool val/2aa8[0:3]&80
    btatt.cgm_feature.feature.sensor_malfunction_detection bool val/2aa8[0:3]&40
    btatt.cgm_feature.feature.device_specific_alert bool val/2aa8[0:3]&20
    btatt.cgm_feature.feature.rate_of_increase_decrease_alerts bool val/2aa8[0:3]&10
    btatt.cgm_feature.feature.hyper_alerts bool val/2aa8[0:3]&8
    btatt.cgm_feature.feature.hypo_alerts bool val/2aa8[0:3]&4
    btatt.cgm_feature.feature.patient_high_low_alerts bool val/2aa8[0:3]&2
    btatt.cgm_feature.feature.calibration bool val/2aa8[0:3]&1
    btatt.cgm.type_and_sample_location x8 val/2aa8[3:1] val/2aac?ff=04[5:1] val/2aac?ff=1c?ff@1=06[7:1]
    btatt.cgm.type_and_sample_location.type x8 val/2aa8[3:1]&f0 val/2aac?ff=04[5:1]&f0 val/2aac?ff=1c?ff@1=06[7:1]&f0
    btatt.cgm.type_and_sample_location.sample_location x8 val/2aa8[3:1]&f val/2aac?ff=04[5:1]&f val/2aac?ff=1c?ff@1=06[7:1]&f
    btatt.cgm.time_offset u16 val/2aa9[0:2]
    btatt.cgm.status x24 val/2aa9[2:3]
    btatt.cgm.session_start_time none val/2aaa?00=00[0:*]
    btatt.cgm.session_run_time u16 val/2aab[0:2]
    btatt.cgm_specific_ops_control_point.opcode x8 val/2aac[0:1]
    btatt.cgm_specific_ops_control_point.operand none val/2aac[1:*]
    btatt.cgm_specific_ops_control_point.operand.communication_interval u8 val/2aac?ff=01[1:1] val/2aac?ff=1c?ff@1=03[3:1]
    btatt.cgm_specific_ops_control_point.operand.calibration_time u16 val/2aac?ff=04[3:2] val/2aac?ff=1c?ff@1=06[5:2]
    btatt.cgm_specific_ops_control_point.operand.next_calibration_time u16 val/2aac?ff=04[6:2] val/2aac?ff=1c?ff@1=06[8:2]
    btatt.cgm_specific_ops_control_point.operand.calibration_data_record_number u16 val/2aac?ff=04[8:2] val/2aac?ff=05[1:2] val/2aac?ff=1c?ff@1=06[10:2]
    btatt.cgm_specific_ops_control_point.operand.calibration_status u8 val/2aac?ff=04[10:1] val/2aac?ff=1c?ff@1=06[12:1]
    btatt.cgm_specific_ops_control_point.operand.calibration_status.reserved u8 val/2aac?ff=04[10:1]&f8 val/2aac?ff=1c?ff@1=06[12:1]&f8
    btatt.cgm_specific_ops_control_point.operand.calibration_status.pending bool val/2aac?ff=04[10:1]&4 val/2aac?ff=1c?ff@1=06[12:1]&4
    btatt.cgm_specific_ops_control_point.operand.calibration_status.out_of_range bool val/2aac?ff=04[10:1]&2 val/2aac?ff=1c?ff@1=06[12:1]&2
    btatt.cgm_specific_ops_control_point.operand.calibration_status.rejected bool val/2aac?ff=04[10:1]&1 val/2aac?ff=1c?ff@1=06[12:1]&1
    btatt.cgm_specific_ops_control_point.request_opcode x8 val/2aac?ff=1c[1:1]
    btatt.cgm_specific_ops_control_point.response_code x8 val/2aac?ff=1c[2:1]
    btatt.cgm_measurement.size.too_small none val/2aa7?fc=00[0:1] val/2aa7?fe=04[0:1]
    btatt.cgm_measurement.glucose_concentration sfloat val/2aa7[2:2]
    btatt.cgm_measurement.trend_information sfloat val/2aa7?01@1=01[6+1?20@1+1?40@1+1?80@1:2]
    btatt.cgm_measurement.quality sfloat val/2aa7?02@1=02[6+2?01@1+1?20@1+1?40@1+1?80@1:2]
    btatt.cgm_specific_ops_control_point.operand.calibration_glucose_concentration sfloat val/2aac?ff=04[1:2] val/2aac?ff=1c?ff@1=06[3:2]
    btatt.cgm_specific_ops_control_point.operand.alert_level sfloat val/2aac?ff=07[1:2] val/2aac?ff=0a[1:2] val/2aac?ff=0d[1:2] val/2aac?ff=10[1:2] val/2aac?ff=1c?ff@1=09[3:2] val/2aac?ff=1c?ff@1=0c[3:2] val/2aac?ff=1c?ff@1=0f[3:2] val/2aac?ff=1c?ff@1=12[3:2]
    btatt.cgm_specific_ops_control_point.operand.alert_level_rate sfloat val/2aac?ff=13[1:2] val/2aac?ff=16[1:2] val/2aac?ff=1c?ff@1=15[3:2] val/2aac?ff=1c?ff@1=18[3:2]
    # Glucose
    btatt.glucose.feature x16 val/2a51[0:2]
    btatt.glucose.feature.reserved bool val/2a51[0:2]&f800
    btatt.glucose.feature.multiple_bond bool val/2a51[0:2]&400
    btatt.glucose.feature.time_fault bool val/2a51[0:2]&200
    btatt.glucose.feature.general_device_fault bool val/2a51[0:2]&100
    btatt.glucose.feature.sensor_read_interrupt_detection bool val/2a51[0:2]&80
    btatt.glucose.feature.sensor_temperature_high_low_detection bool val/2a51[0:2]&40
    btatt.glucose.feature.sensor_result_high_low_detection bool val/2a51[0:2]&20
    btatt.glucose.feature.sensor_strip_type_error_detection bool val/2a51[0:2]&10
    btatt.glucose.feature.sensor_strip_insertion_error_detection bool val/2a51[0:2]&8
    btatt.glucose.feature.sensor_sample_size bool val/2a51[0:2]&4
    btatt.glucose.feature.sensor_malfunction_detection bool val/2a51[0:2]&2
    btatt.glucose.feature.low_battery_detection_during_measurement bool val/2a51[0:2]&1
    btatt.glucose_measurement.flags x8 val/2a18[0:1]
    btatt.glucose_measurement.flags.reserved x8 val/2a18[0:1]&e0
    btatt.glucose_measurement.flags.context_information_follows bool val/2a18[0:1]&10
    btatt.glucose_measurement.flags.sensor_status_annunciation_present bool val/2a18[0:1]&8
    btatt.glucose_measurement.flags.glucose_concentration_units x8 val/2a18[0:1]&4
    btatt.glucose_measurement.flags.glucose_concentration_type_and_sample_location_present bool val/2a18[0:1]&2
    btatt.glucose_measurement.flags.time_offset_present bool val/2a18[0:1]&1
    btatt.glucose_measurement.sequence_number u16 val/2a18[1:2]
    btatt.glucose_measurement.base_time none val/2a18[3:*]
    btatt.glucose_measurement.time_offset i16 val/2a18?01=01[10:2]
    btatt.glucose_measurement.type_and_sample_location x8 val/2a18?02=02[12+2?01:1]
    btatt.glucose_measurement.type_and_sample_location.type x8 val/2a18?02=02[12+2?01:1]&f
    btatt.glucose_measurement.type_and_sample_location.sample_location x8 val/2a18?02=02[12+2?01:1]&f0
    btatt.glucose_measurement.sensor_status_annunciation x16 val/2a18?08=08[10+2?01+3?02:2]
    btatt.glucose_measurement.sensor_status_annunciation.reserved x16 val/2a18?08=08[10+2?01+3?02:2]&f000
    btatt.glucose_measurement.sensor_status_annunciation.time_fault bool val/2a18?08=08[10+2?01+3?02:2]&800
    btatt.glucose_measurement.sensor_status_annunciation.general_fault bool val/2a18?08=08[10+2?01+3?02:2]&400
    btatt.glucose_measurement.sensor_status_annunciation.read_interrupted bool val/2a18?08=08[10+2?01+3?02:2]&200
    btatt.glucose_measurement.sensor_status_annunciation.temperature_too_low bool val/2a18?08=08[10+2?01+3?02:2]&100
    btatt.glucose_measurement.sensor_status_annunciation.temperature_too_high bool val/2a18?08=08[10+2?01+3?02:2]&80
    btatt.glucose_measurement.sensor_status_annunciation.result_too_lower bool val/2a18?08=08[10+2?01+3?02:2]&40
    btatt.glucose_measurement.sensor_status_annunciation.result_too_high bool val/2a18?08=08[10+2?01+3?02:2]&20
    btatt.glucose_measurement.sensor_status_annunciation.strip_type_incorrect bool val/2a18?08=08[10+2?01+3?02:2]&10
    btatt.glucose_measurement.sensor_status_annunciation.strip_insertion_error bool val/2a18?08=08[10+2?01+3?02:2]&8
    btatt.glucose_measurement.sensor_status_annunciation.size_insufficient bool val/2a18?08=08[10+2?01+3?02:2]&4
    btatt.glucose_measurement.sensor_status_annunciation.fault bool val/2a18?08=08[10+2?01+3?02:2]&2
    btatt.glucose_measurement.sensor_status_annunciation.battery_low bool val/2a18?08=08[10+2?01+3?02:2]&1
    btatt.glucose_measurement_context.flags x8 val/2a34[0:1]
    btatt.glucose_measurement_context.flags.extended_flags bool val/2a34[0:1]&80
    btatt.glucose_measurement_context.flags.hba1c bool val/2a34[0:1]&40
    btatt.glucose_measurement_context.flags.medication_value_units x8 val/2a34[0:1]&20
    btatt.glucose_measurement_context.flags.medication_id_and_medication bool val/2a34[0:1]&10
    btatt.glucose_measurement_context.flags.exercise_duration_and_exercise_intensity bool val/2a34[0:1]&8
    btatt.glucose_measurement_context.flags.tester_health bool val/2a34[0:1]&4
    btatt.glucose_measurement_context.flags.meal bool val/2a34[0:1]&2
    btatt.glucose_measurement_context.flags.carbohydrate_id_and_carbohydrate bool val/2a34[0:1]&1
    btatt.glucose_measurement_context.sequence_number u16 val/2a34[1:2]
    btatt.glucose_measurement_context.extended_flags x8 val/2a34?80=80[3:1]
    btatt.glucose_measurement_context.extended_flags.reserved x8 val/2a34?80=80[3:1]&ff
    btatt.glucose_measurement_context.carbohydrate_id x8 val/2a34?01=01[3+1?80:1]
    btatt.glucose_measurement_context.meal x8 val/2a34?02=02[3+3?01+1?80:1]
    btatt.glucose_measurement_context.tester_and_health x8 val/2a34?04=04[3+3?01+1?02+1?80:1]
    btatt.glucose_measurement_context.tester_and_health.tester x8 val/2a34?04=04[3+3?01+1?02+1?80:1]&f0
    btatt.glucose_measurement_context.tester_and_health.health x8 val/2a34?04=04[3+3?01+1?02+1?80:1]&f
    btatt.glucose_measurement_context.exercise_duration u16 val/2a34?08=08[3+3?01+1?02+1?04+1?80:2]
    btatt.glucose_measurement_context.exercise_intensity u8 val/2a34?08=08[5+3?01+1?02+1?04+1?80:1]
    btatt.glucose_measurement_context.medication_id x8 val/2a34?10=10[3+3?01+1?02+1?04+3?08+1?80:1]
    btatt.record_access_control_point.opcode u8 val/2a52[0:1]
    btatt.record_access_control_point.operator u8 val/2a52[1:1]
    btatt.record_access_control_point.operand none val/2a52[2:*]
    btatt.record_access_control_point.operand.filter_type u8 val/2a52?ff=01?fe@1=02[2:1] val/2a52?ff=01?ff@1=04[2:1] val/2a52?ff=02?fe@1=02[2:1] val/2a52?ff=02?ff@1=04[2:1] val/2a52?ff=04?fe@1=02[2:1] val/2a52?ff=04?ff@1=04[2:1]
    btatt.record_access_control_point_operand.min_time_offset u16 val/2a52?ff=01?ff@1=03?ff@2=01[3:2] val/2a52?ff=01?ff@1=04?ff@2=01[3:2] val/2a52?ff=02?ff@1=03?ff@2=01[3:2] val/2a52?ff=02?ff@1=04?ff@2=01[3:2] val/2a52?ff=04?ff@1=03?ff@2=01[3:2] val/2a52?ff=04?ff@1=04?ff@2=01[3:2]
    btatt.record_access_control_point_operand.max_time_offset u16 val/2a52?ff=01?ff@1=02?ff@2=01[3:2] val/2a52?ff=01?ff@1=04?ff@2=01[5:2] val/2a52?ff=02?ff@1=02?ff@2=01[3:2] val/2a52?ff=02?ff@1=04?ff@2=01[5:2] val/2a52?ff=04?ff@1=02?ff@2=01[3:2] val/2a52?ff=04?ff@1=04?ff@2=01[5:2]
    btatt.record_access_control_point_operand.number_of_records u16 val/2a52?ff=05[2:2]
    btatt.record_access_control_point.request_opcode u8 val/2a52?ff=06[2:1]
    btatt.record_access_control_point.response_code u8 val/2a52?ff=06[3:1]
    btatt.glucose_measurement.glucose_concentration.kg_per_l sfloat val/2a18?06=02[10+2?01:2]
    btatt.glucose_measurement.glucose_concentration.mol_per_l sfloat val/2a18?06=06[10+2?01:2]
    btatt.glucose_measurement_context.carbohydrate.kg sfloat val/2a34?01=01[4+1?80:2]
    btatt.glucose_measurement_context.medication.l sfloat val/2a34?30=30[4+3?01+1?02+1?04+3?08+1?80:2]
    btatt.glucose_measurement_context.medication.kg sfloat val/2a34?30=10[4+3?01+1?02+1?04+3?08+1?80:2]
    btatt.glucose_measurement_context.hba1c sfloat val/2a34?40=40[3+3?01+1?02+1?04+3?08+3?10+1?80:2]
    # Blood pressure
    btatt.blood_pressure.feature x16 val/2a49[0:2]
    btatt.blood_pressure.feature.reserved x16 val/2a49[0:2]&ffc0
    btatt.blood_pressure.feature.multiple_bond bool val/2a49[0:2]&20
    btatt.blood_pressure.feature.measurement_position_detection bool val/2a49[0:2]&10
    btatt.blood_pressure.feature.puls_rate_range bool val/2a49[0:2]&8
    btatt.blood_pressure.feature.irregular_pulse_detection bool val/2a49[0:2]&4
    btatt.blood_pressure.feature.cuff_fit_detection bool val/2a49[0:2]&2
    btatt.blood_pressure.feature.body_movement_detection bool val/2a49[0:2]&1
    btatt.blood_pressure_measurement.flags x8 val/2a35,2a36[0:1]
    btatt.blood_pressure_measurement.flags.reserved x8 val/2a35,2a36[0:1]&e0
    btatt.blood_pressure_measurement.flags.measurement_status bool val/2a35,2a36[0:1]&10
    btatt.blood_pressure_measurement.flags.user_id bool val/2a35,2a36[0:1]&8
    btatt.blood_pressure_measurement.flags.pulse_rate bool val/2a35,2a36[0:1]&4
    btatt.blood_pressure_measurement.flags.timestamp bool val/2a35,2a36[0:1]&2
    btatt.blood_pressure_measurement.flags.unit x8 val/2a35,2a36[0:1]&1
    btatt.blood_pressure_measurement.compound_value.timestamp none val/2a35,2a36?02=02[7:*]
    btatt.blood_pressure_measurement.user_id x8 val/2a35,2a36?08=08[7+7?02+2?04:1]
    btatt.blood_pressure_measurement.status x16 val/2a35,2a36?10=10[7+7?02+2?04+1?08:2]
    btatt.blood_pressure_measurement.status.reserved x16 val/2a35,2a36?10=10[7+7?02+2?04+1?08:2]&ffc0
    btatt.blood_pressure_measurement.status.improper_measurement_position bool val/2a35,2a36?10=10[7+7?02+2?04+1?08:2]&20
    btatt.blood_pressure_measurement.status.pulse_rate_range_detection x16 val/2a35,2a36?10=10[7+7?02+2?04+1?08:2]&18
    btatt.blood_pressure_measurement.status.irregular_pulse bool val/2a35,2a36?10=10[7+7?02+2?04+1?08:2]&4
    btatt.blood_pressure_measurement.status.cuff_fit_too_loose bool val/2a35,2a36?10=10[7+7?02+2?04+1?08:2]&2
    btatt.blood_pressure_measurement.status.body_movement bool val/2a35,2a36?10=10[7+7?02+2?04+1?08:2]&1
    btatt.blood_pressure_measurement.compound_value.systolic.kpa sfloat val/2a35,2a36?01=01[1:2]
    btatt.blood_pressure_measurement.compound_value.diastolic.kpa sfloat val/2a35,2a36?01=01[3:2]
    btatt.blood_pressure_measurement.compound_value.arterial_pressure.kpa sfloat val/2a35,2a36?01=01[5:2]
    btatt.blood_pressure_measurement.compound_value.systolic.mmhg sfloat val/2a35,2a36?01=00[1:2]
    btatt.blood_pressure_measurement.compound_value.diastolic.mmhg sfloat val/2a35,2a36?01=00[3:2]
    btatt.blood_pressure_measurement.compound_value.arterial_pressure.mmhg sfloat val/2a35,2a36?01=00[5:2]
    btatt.blood_pressure_measurement.pulse_rate sfloat val/2a35,2a36?04=04[7+7?02:2]
    # Pulse oximeter
    btatt.plxs.spot_check_measurement.flags x8 val/2a5e[0:1]
    btatt.plxs.spot_check_measurement.flags.reserved x8 val/2a5e[0:1]&e0
    btatt.plxs.spot_check_measurement.flags.device_clock_is_not_set bool val/2a5e[0:1]&10
    btatt.plxs.spot_check_measurement.flags.pulse_amplitude_index bool val/2a5e[0:1]&8
    btatt.plxs.spot_check_measurement.flags.device_and_sensor_status bool val/2a5e[0:1]&4
    btatt.plxs.spot_check_measurement.flags.measurement_status bool val/2a5e[0:1]&2
    btatt.plxs.spot_check_measurement.flags.timestamp bool val/2a5e[0:1]&1
    btatt.plxs.spot_check_measurement.timestamp none val/2a5e?01=01[5:*]
    btatt.plxs.spot_check_measurement.measurement_status x16 val/2a5e?02=02[5+7?01:2] val/2a5f?04=04[5+4?01+4?02:2] val/2a60?01=01[2:2]
    btatt.plxs.spot_check_measurement.measurement_status.invalid_measurement_detected bool val/2a5e?02=02[5+7?01:2]&8000 val/2a5f?04=04[5+4?01+4?02:2]&8000 val/2a60?01=01[2:2]&8000
    btatt.plxs.spot_check_measurement.measurement_status.questionable_measurement_detected bool val/2a5e?02=02[5+7?01:2]&4000 val/2a5f?04=04[5+4?01+4?02:2]&4000 val/2a60?01=01[2:2]&4000
    btatt.plxs.spot_check_measurement.measurement_status.measurement_unavailable bool val/2a5e?02=02[5+7?01:2]&2000 val/2a5f?04=04[5+4?01+4?02:2]&2000 val/2a60?01=01[2:2]&2000
    btatt.plxs.spot_check_measurement.measurement_status.calibration_ongoing bool val/2a5e?02=02[5+7?01:2]&1000 val/2a5f?04=04[5+4?01+4?02:2]&1000 val/2a60?01=01[2:2]&1000
    btatt.plxs.spot_check_measurement.measurement_status.data_for_testing bool val/2a5e?02=02[5+7?01:2]&800 val/2a5f?04=04[5+4?01+4?02:2]&800 val/2a60?01=01[2:2]&800
    btatt.plxs.spot_check_measurement.measurement_status.data_for_demonstration bool val/2a5e?02=02[5+7?01:2]&400 val/2a5f?04=04[5+4?01+4?02:2]&400 val/2a60?01=01[2:2]&400
    btatt.plxs.spot_check_measurement.measurement_status.data_from_measurement_storage bool val/2a5e?02=02[5+7?01:2]&200 val/2a5f?04=04[5+4?01+4?02:2]&200 val/2a60?01=01[2:2]&200
    btatt.plxs.spot_check_measurement.measurement_status.fully_qualified_data bool val/2a5e?02=02[5+7?01:2]&100 val/2a5f?04=04[5+4?01+4?02:2]&100 val/2a60?01=01[2:2]&100
    btatt.plxs.spot_check_measurement.measurement_status.validated_data bool val/2a5e?02=02[5+7?01:2]&80 val/2a5f?04=04[5+4?01+4?02:2]&80 val/2a60?01=01[2:2]&80
    btatt.plxs.spot_check_measurement.measurement_status.early_estimated_data bool val/2a5e?02=02[5+7?01:2]&40 val/2a5f?04=04[5+4?01+4?02:2]&40 val/2a60?01=01[2:2]&40
    btatt.plxs.spot_check_measurement.measurement_status.measurement_ongoing bool val/2a5e?02=02[5+7?01:2]&20 val/2a5f?04=04[5+4?01+4?02:2]&20 val/2a60?01=01[2:2]&20
    btatt.plxs.spot_check_measurement.measurement_status.reserved bool val/2a5e?02=02[5+7?01:2]&1f val/2a5f?04=04[5+4?01+4?02:2]&1f val/2a60?01=01[2:2]&1f
    btatt.plxs.spot_check_measurement.device_and_sensor_status x24 val/2a5e?04=04[5+7?01+2?02:3] val/2a5f?08=08[5+4?01+4?02+2?04:3] val/2a60?02=02[2+2?01:3]
    btatt.plxs.spot_check_measurement.device_and_sensor_status.reserved x24 val/2a5e?04=04[5+7?01+2?02:3]&ff0000 val/2a5f?08=08[5+4?01+4?02+2?04:3]&ff0000 val/2a60?02=02[2+2?01:3]&ff0000
    btatt.plxs.spot_check_measurement.device_and_sensor_status.sensor_disconnected bool val/2a5e?04=04[5+7?01+2?02:3]&8000 val/2a5f?08=08[5+4?01+4?02+2?04:3]&8000 val/2a60?02=02[2+2?01:3]&8000
    btatt.plxs.spot_check_measurement.device_and_sensor_status.sensor_malfunctioning bool val/2a5e?04=04[5+7?01+2?02:3]&4000 val/2a5f?08=08[5+4?01+4?02+2?04:3]&4000 val/2a60?02=02[2+2?01:3]&4000
    btatt.plxs.spot_check_measurement.device_and_sensor_status.sensor_displaced bool val/2a5e?04=04[5+7?01+2?02:3]&2000 val/2a5f?08=08[5+4?01+4?02+2?04:3]&2000 val/2a60?02=02[2+2?01:3]&2000
    btatt.plxs.spot_check_measurement.device_and_sensor_status.unknown_sensor_connected bool val/2a5e?04=04[5+7?01+2?02:3]&1000 val/2a5f?08=08[5+4?01+4?02+2?04:3]&1000 val/2a60?02=02[2+2?01:3]&1000
    btatt.plxs.spot_check_measurement.device_and_sensor_status.unconnected_to_user bool val/2a5e?04=04[5+7?01+2?02:3]&800 val/2a5f?08=08[5+4?01+4?02+2?04:3]&800 val/2a60?02=02[2+2?01:3]&800
    btatt.plxs.spot_check_measurement.device_and_sensor_status.interference_detected bool val/2a5e?04=04[5+7?01+2?02:3]&400 val/2a5f?08=08[5+4?01+4?02+2?04:3]&400 val/2a60?02=02[2+2?01:3]&400
    btatt.plxs.spot_check_measurement.device_and_sensor_status.signal_analysis_ongoing bool val/2a5e?04=04[5+7?01+2?02:3]&200 val/2a5f?08=08[5+4?01+4?02+2?04:3]&200 val/2a60?02=02[2+2?01:3]&200
    btatt.plxs.spot_check_measurement.device_and_sensor_status.questionable_pulse_detected bool val/2a5e?04=04[5+7?01+2?02:3]&100 val/2a5f?08=08[5+4?01+4?02+2?04:3]&100 val/2a60?02=02[2+2?01:3]&100
    btatt.plxs.spot_check_measurement.device_and_sensor_status.non_pulsatile_signal_detected bool val/2a5e?04=04[5+7?01+2?02:3]&80 val/2a5f?08=08[5+4?01+4?02+2?04:3]&80 val/2a60?02=02[2+2?01:3]&80
    btatt.plxs.spot_check_measurement.device_and_sensor_status.erratic_signal_detected bool val/2a5e?04=04[5+7?01+2?02:3]&40 val/2a5f?08=08[5+4?01+4?02+2?04:3]&40 val/2a60?02=02[2+2?01:3]&40
    btatt.plxs.spot_check_measurement.device_and_sensor_status.low_perfusion_detected bool val/2a5e?04=04[5+7?01+2?02:3]&20 val/2a5f?08=08[5+4?01+4?02+2?04:3]&20 val/2a60?02=02[2+2?01:3]&20
    btatt.plxs.spot_check_measurement.device_and_sensor_status.poor_signal_detected bool val/2a5e?04=04[5+7?01+2?02:3]&10 val/2a5f?08=08[5+4?01+4?02+2?04:3]&10 val/2a60?02=02[2+2?01:3]&10
    btatt.plxs.spot_check_measurement.device_and_sensor_status.inadequate_signal_detected bool val/2a5e?04=04[5+7?01+2?02:3]&8 val/2a5f?08=08[5+4?01+4?02+2?04:3]&8 val/2a60?02=02[2+2?01:3]&8
    btatt.plxs.spot_check_measurement.device_and_sensor_status.signal_processing_irregularity_detected bool val/2a5e?04=04[5+7?01+2?02:3]&4 val/2a5f?08=08[5+4?01+4?02+2?04:3]&4 val/2a60?02=02[2+2?01:3]&4
    btatt.plxs.spot_check_measurement.device_and_sensor_status.equipment_malfunction_detected bool val/2a5e?04=04[5+7?01+2?02:3]&2 val/2a5f?08=08[5+4?01+4?02+2?04:3]&2 val/2a60?02=02[2+2?01:3]&2
    btatt.plxs.spot_check_measurement.device_and_sensor_status.extended_display_update_ongoing bool val/2a5e?04=04[5+7?01+2?02:3]&1 val/2a5f?08=08[5+4?01+4?02+2?04:3]&1 val/2a60?02=02[2+2?01:3]&1
    btatt.plxs.spo2pr_spot_check none val/2a5e[1:*]
    btatt.plxs.spo2pr_normal none val/2a5f[1:*]
    btatt.plxs.spo2pr_fast none val/2a5f?01=01[5:*]
    btatt.plxs.spo2pr_slow none val/2a5f?02=02[5+4?01:*]
    btatt.plxs.continuous_measurement.flags x8 val/2a5f[0:1]
    btatt.plxs.continuous_measurement.flags.reserved x8 val/2a5f[0:1]&e0
    btatt.plxs.continuous_measurement.flags.pulse_amplitude_index bool val/2a5f[0:1]&10
    btatt.plxs.continuous_measurement.flags.device_and_sensor_status bool val/2a5f[0:1]&8
    btatt.plxs.continuous_measurement.flags.measurement_status bool val/2a5f[0:1]&4
    btatt.plxs.continuous_measurement.flags.spo2pr_slow bool val/2a5f[0:1]&2
    btatt.plxs.continuous_measurement.flags.spo2pr_fast bool val/2a5f[0:1]&1
    btatt.plxs.features.supported_features x16 val/2a60[0:2]
    btatt.plxs.features.supported_features.reserved x16 val/2a60[0:2]&ff00
    btatt.plxs.features.supported_features.multiple_bonds bool val/2a60[0:2]&80
    btatt.plxs.features.supported_features.pulse_amplitude_index bool val/2a60[0:2]&40
    btatt.plxs.features.supported_features.spo2pr_slow bool val/2a60[0:2]&20
    btatt.plxs.features.supported_features.spo2pr_fast bool val/2a60[0:2]&10
    btatt.plxs.features.supported_features.timestamp_storage_for_spot_check bool val/2a60[0:2]&8
    btatt.plxs.features.supported_features.measurement_storage_for_spot_check bool val/2a60[0:2]&4
    btatt.plxs.features.supported_features.device_and_sensor_status bool val/2a60[0:2]&2
    btatt.plxs.features.supported_features.measurement_status bool val/2a60[0:2]&1
    btatt.plxs.spot_check_measurement.spo2 sfloat val/2a5e,2a5f[1:2] val/2a5f?01=01[5:2] val/2a5f?02=02[5+4?01:2]
    btatt.plxs.spot_check_measurement.pulse_rate sfloat val/2a5e,2a5f[3:2] val/2a5f?01=01[7:2] val/2a5f?02=02[7+4?01:2]
    btatt.plxs.spot_check_measurement.pulse_amplitude_index sfloat val/2a5e?08=08[5+7?01+2?02+3?04:2] val/2a5f?10=10[5+4?01+4?02+2?04+3?08:2]
    # Heart rate
    btatt.heart_rate_measurement.flags.reserved x8 val/2a37[0:1]&e0
    btatt.heart_rate_measurement.flags.rr_interval bool val/2a37[0:1]&10
    btatt.heart_rate_measurement.flags.energy_expended bool val/2a37[0:1]&8
    btatt.heart_rate_measurement.flags.sensor_contact_status.support bool val/2a37[0:1]&4
    btatt.heart_rate_measurement.flags.sensor_contact_status.contact bool val/2a37[0:1]&2
    btatt.heart_rate_measurement.flags.value_16 bool val/2a37[0:1]&1
    btatt.heart_rate_measurement.energy_expended u16 val/2a37?08=08[2+1?01:2]
    btatt.heart_rate_measurement.rr_intervals none val/2a37?10=10[2+1?01+2?08:*]
    btatt.heart_rate_measurement.rr_interval u16 val/2a37?10=10[2+1?01+2?08:2]*
    # Health thermometer
    btatt.temperature_type x8 val/2a1c,2a1e?04=04[5+7?02:1] val/2a1d[0:1]
    btatt.temperature_measurement.flags x8 val/2a1c,2a1e[0:1]
    btatt.temperature_measurement.flags.reserved x8 val/2a1c,2a1e[0:1]&f8
    btatt.temperature_measurement.flags.temperature_type bool val/2a1c,2a1e[0:1]&4
    btatt.temperature_measurement.flags.timestamp bool val/2a1c,2a1e[0:1]&2
    btatt.temperature_measurement.flags.temperature_unit x8 val/2a1c,2a1e[0:1]&1
    btatt.temperature_measurement.timestamp none val/2a1c,2a1e?02=02[5:*]
    btatt.temperature_measurement.value.celsius float val/2a1c,2a1e?01=00[1:4]
    btatt.temperature_measurement.value.fahrenheit float val/2a1c,2a1e?01=01[1:4]
    # Body composition and weight
    btatt.weight u16 val/2a98[0:2]
    btatt.body_composition_feature x32 val/2a9b[0:4]
    btatt.body_composition_feature.reserved x32 val/2a9b[0:4]&fffc0000
    btatt.body_composition_feature.height_measurement_resolution x32 val/2a9b[0:4]&38000
    btatt.body_composition_feature.mass_measurement_resolution x32 val/2a9b[0:4]&7800
    btatt.body_composition_feature.height bool val/2a9b[0:4]&400
    btatt.body_composition_feature.weight bool val/2a9b[0:4]&200
    btatt.body_composition_feature.impedance bool val/2a9b[0:4]&100
    btatt.body_composition_feature.body_water_mass bool val/2a9b[0:4]&80
    btatt.body_composition_feature.soft_lean_mass bool val/2a9b[0:4]&40
    btatt.body_composition_feature.fat_free_mass bool val/2a9b[0:4]&20
    btatt.body_composition_feature.muscle_mass bool val/2a9b[0:4]&10
    btatt.body_composition_feature.muscle_percentage bool val/2a9b[0:4]&8
    btatt.body_composition_feature.basal_metabolism bool val/2a9b[0:4]&4
    btatt.body_composition_feature.multiple_users bool val/2a9b[0:4]&2
    btatt.body_composition_feature.timestamp bool val/2a9b[0:4]&1
    btatt.weight_scale_feature x32 val/2a9e[0:4]
    btatt.weight_scale_feature.reserved x32 val/2a9e[0:4]&fffffc00
    btatt.weight_scale_feature.height_measurement_resolution x32 val/2a9e[0:4]&380
    btatt.weight_scale_feature.weight_measurement_resolution x32 val/2a9e[0:4]&78
    btatt.weight_scale_feature.bmi bool val/2a9e[0:4]&4
    btatt.weight_scale_feature.multiple_users bool val/2a9e[0:4]&2
    btatt.weight_scale_feature.timestamp bool val/2a9e[0:4]&1
    btatt.body_composition_measurement.flags x16 val/2a9c[0:2]
    btatt.body_composition_measurement.flags.reserved x16 val/2a9c[0:2]&e000
    btatt.body_composition_measurement.flags.multiple_packet_measurement bool val/2a9c[0:2]&1000
    btatt.body_composition_measurement.flags.height bool val/2a9c[0:2]&800
    btatt.body_composition_measurement.flags.weight bool val/2a9c[0:2]&400
    btatt.body_composition_measurement.flags.impedance bool val/2a9c[0:2]&200
    btatt.body_composition_measurement.flags.body_water_mass bool val/2a9c[0:2]&100
    btatt.body_composition_measurement.flags.soft_lean_mass bool val/2a9c[0:2]&80
    btatt.body_composition_measurement.flags.fat_free_mass bool val/2a9c[0:2]&40
    btatt.body_composition_measurement.flags.muscle_mass bool val/2a9c[0:2]&20
    btatt.body_composition_measurement.flags.muscle_percentage bool val/2a9c[0:2]&10
    btatt.body_composition_measurement.flags.basal_metabolism bool val/2a9c[0:2]&8
    btatt.body_composition_measurement.flags.user_id bool val/2a9c[0:2]&4
    btatt.body_composition_measurement.flags.timestamp bool val/2a9c[0:2]&2
    btatt.body_composition_measurement.flags.measurement_units x16 val/2a9c[0:2]&1
    btatt.body_composition_measurement.body_fat_percentage u16 val/2a9c[2:2]
    btatt.body_composition_measurement.timestamp none val/2a9c?02=02[4:*]
    btatt.body_composition_measurement.user_id u8 val/2a9c?04=04[4+7?02:1]
    btatt.body_composition_measurement.basal_metabolism u16 val/2a9c?08=08[4+7?02+1?04:2]
    btatt.body_composition_measurement.muscle_percentage u16 val/2a9c?10=10[4+7?02+1?04+2?08:2]
    btatt.body_composition_measurement.muscle_mass.lb u16 val/2a9c?21=21[4+7?02+1?04+2?08+2?10:2]
    btatt.body_composition_measurement.muscle_mass.kg u16 val/2a9c?21=20[4+7?02+1?04+2?08+2?10:2]
    btatt.body_composition_measurement.fat_free_mass.lb u16 val/2a9c?41=41[4+7?02+1?04+2?08+2?10+2?20:2]
    btatt.body_composition_measurement.fat_free_mass.kg u16 val/2a9c?41=40[4+7?02+1?04+2?08+2?10+2?20:2]
    btatt.body_composition_measurement.soft_lean_mass.lb u16 val/2a9c?81=81[4+7?02+1?04+2?08+2?10+2?20+2?40:2]
    btatt.body_composition_measurement.soft_lean_mass.kg u16 val/2a9c?81=80[4+7?02+1?04+2?08+2?10+2?20+2?40:2]
    btatt.body_composition_measurement.body_water_mass.lb u16 val/2a9c?01=01?01@1=01[4+7?02+1?04+2?08+2?10+2?20+2?40+2?80:2]
    btatt.body_composition_measurement.body_water_mass.kg u16 val/2a9c?01=00?01@1=01[4+7?02+1?04+2?08+2?10+2?20+2?40+2?80:2]
    btatt.body_composition_measurement.impedance u16 val/2a9c?02@1=02[4+7?02+1?04+2?08+2?10+2?20+2?40+2?80+2?01@1:2]
    btatt.body_composition_measurement.weight.lb u16 val/2a9c?01=01?04@1=04[4+7?02+1?04+2?08+2?10+2?20+2?40+2?80+2?01@1+2?02@1:2]
    btatt.body_composition_measurement.weight.kg u16 val/2a9c?01=00?04@1=04[4+7?02+1?04+2?08+2?10+2?20+2?40+2?80+2?01@1+2?02@1:2]
    btatt.body_composition_measurement.height.inches u16 val/2a9c?01=01?08@1=08[4+7?02+1?04+2?08+2?10+2?20+2?40+2?80+2?01@1+2?02@1+2?04@1:2]
    btatt.body_composition_measurement.height.meter u16 val/2a9c?01=00?08@1=08[4+7?02+1?04+2?08+2?10+2?20+2?40+2?80+2?01@1+2?02@1+2?04@1:2]
    btatt.weight_measurement.flags x8 val/2a9d[0:1]
    btatt.weight_measurement.flags.reserved x8 val/2a9d[0:1]&f0
    btatt.weight_measurement.flags.bmi_and_height bool val/2a9d[0:1]&8
    btatt.weight_measurement.flags.user_id bool val/2a9d[0:1]&4
    btatt.weight_measurement.flags.timestamp bool val/2a9d[0:1]&2
    btatt.weight_measurement.flags.measurement_units bool val/2a9d[0:1]&1
    btatt.weight_measurement.weight.lb u16 val/2a9d?01=01[1:2]
    btatt.weight_measurement.weight.kg u16 val/2a9d?01=00[1:2]
    btatt.weight_measurement.timestamp none val/2a9d?02=02[3:*]
    btatt.weight_measurement.user_id u8 val/2a9d?04=04[3+7?02:1]
    btatt.weight_measurement.bmi u16 val/2a9d?08=08[3+7?02+1?04:2]
    btatt.weight_measurement.height.in u16 val/2a9d?09=09[5+7?02+1?04:2]
    btatt.weight_measurement.height.m u16 val/2a9d?09=08[5+7?02+1?04:2]
    """
}
